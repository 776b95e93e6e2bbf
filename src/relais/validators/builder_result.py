"""Generated from builder_result.schema.json by `make validators` with fastjsonschema; never edited."""

import re

from relais.text.documents import Invalid

NoneType = type(None)

def validate_https___relais_local_schemas_builder_result_schema_json(data, custom_formats={}, name_prefix=None):
 if not isinstance(data, dict):
  raise Invalid('builder_result must be object')
 v21 = isinstance(data, dict)
 if v21:
  v13 = set(['summary', 'files_intended', 'commands_ran', 'notes']) - data.keys()
  if v13:
   raise Invalid('builder_result must contain ' + (str(sorted(v13)) + ' properties'))
  v23 = set(data.keys())
  if 'summary' in v23:
   v23.remove('summary')
   v19 = data['summary']
   if not isinstance(v19, str):
    raise Invalid('builder_result.summary must be string')
   if isinstance(v19, str):
    v15 = len(v19)
    if v15 < 1:
     raise Invalid('builder_result.summary must be longer than or equal to 1 characters')
    if v15 > 800:
     raise Invalid('builder_result.summary must be shorter than or equal to 800 characters')
  if 'files_intended' in v23:
   v23.remove('files_intended')
   v11 = data['files_intended']
   if not isinstance(v11, (list, tuple)):
    raise Invalid('builder_result.files_intended must be array')
   v1 = isinstance(v11, (list, tuple))
   if v1:
    v5 = len(v11)
    if v5 > 200:
     raise Invalid('builder_result.files_intended must contain less than or equal to 200 items')
    for v8, v4 in enumerate(v11):
     if not isinstance(v4, str):
      raise Invalid('builder_result' + '.files_intended[{v8}]'.format(**locals()) + ' must be string')
     if isinstance(v4, str):
      v0 = len(v4)
      if v0 < 1:
       raise Invalid('builder_result' + '.files_intended[{v8}]'.format(**locals()) + ' must be longer than or equal to 1 characters')
      if v0 > 300:
       raise Invalid('builder_result' + '.files_intended[{v8}]'.format(**locals()) + ' must be shorter than or equal to 300 characters')
  if 'commands_ran' in v23:
   v23.remove('commands_ran')
   v14 = data['commands_ran']
   if not isinstance(v14, (list, tuple)):
    raise Invalid('builder_result.commands_ran must be array')
   v3 = isinstance(v14, (list, tuple))
   if v3:
    v7 = len(v14)
    if v7 > 50:
     raise Invalid('builder_result.commands_ran must contain less than or equal to 50 items')
    for v10, v6 in enumerate(v14):
     if not isinstance(v6, str):
      raise Invalid('builder_result' + '.commands_ran[{v10}]'.format(**locals()) + ' must be string')
     if isinstance(v6, str):
      v2 = len(v6)
      if v2 < 1:
       raise Invalid('builder_result' + '.commands_ran[{v10}]'.format(**locals()) + ' must be longer than or equal to 1 characters')
      if v2 > 300:
       raise Invalid('builder_result' + '.commands_ran[{v10}]'.format(**locals()) + ' must be shorter than or equal to 300 characters')
  if 'notes' in v23:
   v23.remove('notes')
   v22 = data['notes']
   if not isinstance(v22, (list, tuple)):
    raise Invalid('builder_result.notes must be array')
   v12 = isinstance(v22, (list, tuple))
   if v12:
    v17 = len(v22)
    if v17 > 20:
     raise Invalid('builder_result.notes must contain less than or equal to 20 items')
    for v18, v16 in enumerate(v22):
     if not isinstance(v16, str):
      raise Invalid('builder_result' + '.notes[{v18}]'.format(**locals()) + ' must be string')
     if isinstance(v16, str):
      v9 = len(v16)
      if v9 < 1:
       raise Invalid('builder_result' + '.notes[{v18}]'.format(**locals()) + ' must be longer than or equal to 1 characters')
      if v9 > 300:
       raise Invalid('builder_result' + '.notes[{v18}]'.format(**locals()) + ' must be shorter than or equal to 300 characters')
  if 'status' in v23:
   v23.remove('status')
   v20 = data['status']
   if not isinstance(v20, str):
    raise Invalid('builder_result.status must be string')
   if v20 not in ['done', 'refused']:
    raise Invalid("builder_result.status must be one of ['done', 'refused']")
  if v23:
   raise Invalid('builder_result must not contain ' + str(v23) + ' properties')
 return data

def validate(document):
 return validate_https___relais_local_schemas_builder_result_schema_json(document)
