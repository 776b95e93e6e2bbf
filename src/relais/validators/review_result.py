"""Generated from review_result.schema.json by `make validators` with fastjsonschema; never edited."""

import re

from relais.text.documents import Invalid

NoneType = type(None)

def validate_https___relais_local_schemas_review_result_schema_json(data, custom_formats={}, name_prefix=None):
 if not isinstance(data, dict):
  raise Invalid('review_result must be object')
 v16 = isinstance(data, dict)
 if v16:
  v11 = set(['summary', 'criteria']) - data.keys()
  if v11:
   raise Invalid('review_result must contain ' + (str(sorted(v11)) + ' properties'))
  v17 = set(data.keys())
  if 'summary' in v17:
   v17.remove('summary')
   v15 = data['summary']
   if not isinstance(v15, str):
    raise Invalid('review_result.summary must be string')
   if isinstance(v15, str):
    v12 = len(v15)
    if v12 < 1:
     raise Invalid('review_result.summary must be longer than or equal to 1 characters')
    if v12 > 800:
     raise Invalid('review_result.summary must be shorter than or equal to 800 characters')
  if 'criteria' in v17:
   v17.remove('criteria')
   v14 = data['criteria']
   if not isinstance(v14, (list, tuple)):
    raise Invalid('review_result.criteria must be array')
   v8 = isinstance(v14, (list, tuple))
   if v8:
    v10 = len(v14)
    if v10 < 1:
     raise Invalid('review_result.criteria must contain at least 1 items')
    if v10 > 50:
     raise Invalid('review_result.criteria must contain less than or equal to 50 items')
    for v13, v9 in enumerate(v14):
     if not isinstance(v9, dict):
      raise Invalid('review_result' + '.criteria[{v13}]'.format(**locals()) + ' must be object')
     v6 = isinstance(v9, dict)
     if v6:
      v2 = set(['criterion', 'verdict', 'evidence']) - v9.keys()
      if v2:
       raise Invalid('review_result' + '.criteria[{v13}]'.format(**locals()) + ' must contain ' + (str(sorted(v2)) + ' properties'))
      v7 = set(v9.keys())
      if 'criterion' in v7:
       v7.remove('criterion')
       v3 = v9['criterion']
       if not isinstance(v3, str):
        raise Invalid('review_result' + '.criteria[{v13}].criterion'.format(**locals()) + ' must be string')
       if isinstance(v3, str):
        v0 = len(v3)
        if v0 < 1:
         raise Invalid('review_result' + '.criteria[{v13}].criterion'.format(**locals()) + ' must be longer than or equal to 1 characters')
        if v0 > 400:
         raise Invalid('review_result' + '.criteria[{v13}].criterion'.format(**locals()) + ' must be shorter than or equal to 400 characters')
      if 'verdict' in v7:
       v7.remove('verdict')
       v5 = v9['verdict']
       if not isinstance(v5, str):
        raise Invalid('review_result' + '.criteria[{v13}].verdict'.format(**locals()) + ' must be string')
       if v5 not in ['pass', 'fail', 'needs_human']:
        raise Invalid('review_result' + '.criteria[{v13}].verdict'.format(**locals()) + " must be one of ['pass', 'fail', 'needs_human']")
      if 'evidence' in v7:
       v7.remove('evidence')
       v4 = v9['evidence']
       if not isinstance(v4, str):
        raise Invalid('review_result' + '.criteria[{v13}].evidence'.format(**locals()) + ' must be string')
       if isinstance(v4, str):
        v1 = len(v4)
        if v1 < 1:
         raise Invalid('review_result' + '.criteria[{v13}].evidence'.format(**locals()) + ' must be longer than or equal to 1 characters')
        if v1 > 800:
         raise Invalid('review_result' + '.criteria[{v13}].evidence'.format(**locals()) + ' must be shorter than or equal to 800 characters')
      if v7:
       raise Invalid('review_result' + '.criteria[{v13}]'.format(**locals()) + ' must not contain ' + str(v7) + ' properties')
  if v17:
   raise Invalid('review_result must not contain ' + str(v17) + ' properties')
 return data

def validate(document):
 return validate_https___relais_local_schemas_review_result_schema_json(document)
