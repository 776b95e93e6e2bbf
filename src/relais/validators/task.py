"""Generated from task.schema.json by `make validators` with fastjsonschema; never edited."""

import re

from relais.text.documents import Invalid

REGEX_PATTERNS = {'^[A-Za-z0-9][A-Za-z0-9._-]*$': re.compile('^[A-Za-z0-9][A-Za-z0-9._-]*\\Z')}
NoneType = type(None)

def validate_https___relais_local_schemas_task_schema_json(data, custom_formats={}, name_prefix=None):
 if not isinstance(data, dict):
  raise Invalid('task must be object')
 try:
  v85 = isinstance(data, dict)
  if v85:
   v72 = set(['task_kind']) - data.keys()
   if v72:
    raise Invalid('task must contain ' + (str(sorted(v72)) + ' properties'))
   v87 = set(data.keys())
   if 'task_kind' in v87:
    v87.remove('task_kind')
    v80 = data['task_kind']
    if v80 != 'question':
     raise Invalid('task.task_kind must be same as const definition: question')
 except Invalid:
  pass
 else:
  v85 = isinstance(data, dict)
  if v85:
   v72 = set(['question']) - data.keys()
   if v72:
    raise Invalid('task must contain ' + (str(sorted(v72)) + ' properties'))
 try:
  v85 = isinstance(data, dict)
  if v85:
   v72 = set(['task_kind']) - data.keys()
   if v72:
    raise Invalid('task must contain ' + (str(sorted(v72)) + ' properties'))
   v87 = set(data.keys())
   if 'task_kind' in v87:
    v87.remove('task_kind')
    v80 = data['task_kind']
    if v80 != 'question':
     raise Invalid('task.task_kind must be same as const definition: question')
 except Invalid:
  pass
 else:
  v85 = isinstance(data, dict)
  if v85:
   v87 = set(data.keys())
   if 'builder' in v87:
    v87.remove('builder')
    v81 = data['builder']
    v60 = isinstance(v81, dict)
    if v60:
     v70 = set(v81.keys())
     if 'mode' in v70:
      v70.remove('mode')
      v67 = v81['mode']
      if not isinstance(v67, str):
       raise Invalid('task.builder.mode must be string')
      if v67 not in ['claude_code', 'cursor']:
       raise Invalid("task.builder.mode must be one of ['claude_code', 'cursor']")
 try:
  try:
   v85 = isinstance(data, dict)
   if v85:
    v72 = set(['control']) - data.keys()
    if v72:
     raise Invalid('task must contain ' + (str(sorted(v72)) + ' properties'))
  except Invalid:
   pass
  else:
   raise Invalid('task must NOT match a disallowed definition')
  if v85:
   v72 = set(['task_kind']) - data.keys()
   if v72:
    raise Invalid('task must contain ' + (str(sorted(v72)) + ' properties'))
   v87 = set(data.keys())
   if 'task_kind' in v87:
    v87.remove('task_kind')
    v80 = data['task_kind']
    if v80 != 'execute':
     raise Invalid('task.task_kind must be same as const definition: execute')
 except Invalid:
  pass
 else:
  v85 = isinstance(data, dict)
  if v85:
   v72 = set(['builder']) - data.keys()
   if v72:
    raise Invalid('task must contain ' + (str(sorted(v72)) + ' properties'))
 try:
  v85 = isinstance(data, dict)
  if v85:
   v72 = set(['builder', 'control']) - data.keys()
   if v72:
    raise Invalid('task must contain ' + (str(sorted(v72)) + ' properties'))
 except Invalid:
  pass
 else:
  raise Invalid('task must NOT match a disallowed definition')
 v85 = isinstance(data, dict)
 if v85:
  v72 = set(['task_id', 'milestone_id', 'task_kind', 'intent', 'scope', 'diff_limits', 'verification']) - data.keys()
  if v72:
   raise Invalid('task must contain ' + (str(sorted(v72)) + ' properties'))
  v87 = set(data.keys())
  if 'task_id' in v87:
   v87.remove('task_id')
   v84 = data['task_id']
   if not isinstance(v84, str):
    raise Invalid('task.task_id must be string')
   if isinstance(v84, str):
    v78 = len(v84)
    if v78 < 1:
     raise Invalid('task.task_id must be longer than or equal to 1 characters')
    if v78 > 80:
     raise Invalid('task.task_id must be shorter than or equal to 80 characters')
    if not REGEX_PATTERNS['^[A-Za-z0-9][A-Za-z0-9._-]*$'].search(v84):
     raise Invalid('task.task_id must match pattern ^[A-Za-z0-9][A-Za-z0-9._-]*$')
  if 'milestone_id' in v87:
   v87.remove('milestone_id')
   v74 = data['milestone_id']
   if not isinstance(v74, str):
    raise Invalid('task.milestone_id must be string')
   if isinstance(v74, str):
    v65 = len(v74)
    if v65 < 1:
     raise Invalid('task.milestone_id must be longer than or equal to 1 characters')
    if v65 > 80:
     raise Invalid('task.milestone_id must be shorter than or equal to 80 characters')
    if not REGEX_PATTERNS['^[A-Za-z0-9][A-Za-z0-9._-]*$'].search(v74):
     raise Invalid('task.milestone_id must match pattern ^[A-Za-z0-9][A-Za-z0-9._-]*$')
  if 'task_kind' in v87:
   v87.remove('task_kind')
   v80 = data['task_kind']
   if not isinstance(v80, str):
    raise Invalid('task.task_kind must be string')
   if v80 not in ['execute', 'verify_only', 'question']:
    raise Invalid("task.task_kind must be one of ['execute', 'verify_only', 'question']")
  if 'intent' in v87:
   v87.remove('intent')
   v83 = data['intent']
   if not isinstance(v83, str):
    raise Invalid('task.intent must be string')
   if isinstance(v83, str):
    v76 = len(v83)
    if v76 < 1:
     raise Invalid('task.intent must be longer than or equal to 1 characters')
    if v76 > 1200:
     raise Invalid('task.intent must be shorter than or equal to 1200 characters')
  if 'question' in v87:
   v87.remove('question')
   v79 = data['question']
   if not isinstance(v79, dict):
    raise Invalid('task.question must be object')
   v59 = isinstance(v79, dict)
   if v59:
    v32 = set(['prompt']) - v79.keys()
    if v32:
     raise Invalid('task.question must contain ' + (str(sorted(v32)) + ' properties'))
    v68 = set(v79.keys())
    if 'prompt' in v68:
     v68.remove('prompt')
     v58 = v79['prompt']
     if not isinstance(v58, str):
      raise Invalid('task.question.prompt must be string')
     if isinstance(v58, str):
      v41 = len(v58)
      if v41 < 1:
       raise Invalid('task.question.prompt must be longer than or equal to 1 characters')
      if v41 > 2000:
       raise Invalid('task.question.prompt must be shorter than or equal to 2000 characters')
    if 'choices' in v68:
     v68.remove('choices')
     v56 = v79['choices']
     if not isinstance(v56, (list, tuple)):
      raise Invalid('task.question.choices must be array')
     v21 = isinstance(v56, (list, tuple))
     if v21:
      v38 = len(v56)
      if v38 > 12:
       raise Invalid('task.question.choices must contain less than or equal to 12 items')
      for v48, v31 in enumerate(v56):
       if not isinstance(v31, str):
        raise Invalid('task' + '.question.choices[{v48}]'.format(**locals()) + ' must be string')
       if isinstance(v31, str):
        v14 = len(v31)
        if v14 < 1:
         raise Invalid('task' + '.question.choices[{v48}]'.format(**locals()) + ' must be longer than or equal to 1 characters')
        if v14 > 200:
         raise Invalid('task' + '.question.choices[{v48}]'.format(**locals()) + ' must be shorter than or equal to 200 characters')
    if v68:
     raise Invalid('task.question must not contain ' + str(v68) + ' properties')
  if 'scope' in v87:
   v87.remove('scope')
   v86 = data['scope']
   if not isinstance(v86, dict):
    raise Invalid('task.scope must be object')
   v69 = isinstance(v86, dict)
   if v69:
    v50 = set(['allowed_globs', 'forbidden_globs', 'allow_new_files', 'allow_lockfile_changes']) - v86.keys()
    if v50:
     raise Invalid('task.scope must contain ' + (str(sorted(v50)) + ' properties'))
    v77 = set(v86.keys())
    if 'allowed_globs' in v77:
     v77.remove('allowed_globs')
     v49 = v86['allowed_globs']
     if not isinstance(v49, (list, tuple)):
      raise Invalid('task.scope.allowed_globs must be array')
     v10 = isinstance(v49, (list, tuple))
     if v10:
      v27 = len(v49)
      if v27 < 1:
       raise Invalid('task.scope.allowed_globs must contain at least 1 items')
      if v27 > 64:
       raise Invalid('task.scope.allowed_globs must contain less than or equal to 64 items')
      for v39, v25 in enumerate(v49):
       if not isinstance(v25, str):
        raise Invalid('task' + '.scope.allowed_globs[{v39}]'.format(**locals()) + ' must be string')
       if isinstance(v25, str):
        v6 = len(v25)
        if v6 < 1:
         raise Invalid('task' + '.scope.allowed_globs[{v39}]'.format(**locals()) + ' must be longer than or equal to 1 characters')
        if v6 > 200:
         raise Invalid('task' + '.scope.allowed_globs[{v39}]'.format(**locals()) + ' must be shorter than or equal to 200 characters')
    if 'forbidden_globs' in v77:
     v77.remove('forbidden_globs')
     v40 = v86['forbidden_globs']
     if not isinstance(v40, (list, tuple)):
      raise Invalid('task.scope.forbidden_globs must be array')
     v5 = isinstance(v40, (list, tuple))
     if v5:
      v22 = len(v40)
      if v22 > 64:
       raise Invalid('task.scope.forbidden_globs must contain less than or equal to 64 items')
      for v28, v15 in enumerate(v40):
       if not isinstance(v15, str):
        raise Invalid('task' + '.scope.forbidden_globs[{v28}]'.format(**locals()) + ' must be string')
       if isinstance(v15, str):
        v3 = len(v15)
        if v3 < 1:
         raise Invalid('task' + '.scope.forbidden_globs[{v28}]'.format(**locals()) + ' must be longer than or equal to 1 characters')
        if v3 > 200:
         raise Invalid('task' + '.scope.forbidden_globs[{v28}]'.format(**locals()) + ' must be shorter than or equal to 200 characters')
    if 'allow_new_files' in v77:
     v77.remove('allow_new_files')
     v42 = v86['allow_new_files']
     if not isinstance(v42, bool):
      raise Invalid('task.scope.allow_new_files must be boolean')
    if 'allow_lockfile_changes' in v77:
     v77.remove('allow_lockfile_changes')
     v11 = v86['allow_lockfile_changes']
     if not isinstance(v11, bool):
      raise Invalid('task.scope.allow_lockfile_changes must be boolean')
    if v77:
     raise Invalid('task.scope must not contain ' + str(v77) + ' properties')
  if 'diff_limits' in v87:
   v87.remove('diff_limits')
   v75 = data['diff_limits']
   if not isinstance(v75, dict):
    raise Invalid('task.diff_limits must be object')
   v52 = isinstance(v75, dict)
   if v52:
    v24 = set(['max_files_touched', 'max_lines_changed']) - v75.keys()
    if v24:
     raise Invalid('task.diff_limits must contain ' + (str(sorted(v24)) + ' properties'))
    v64 = set(v75.keys())
    if 'max_files_touched' in v64:
     v64.remove('max_files_touched')
     v8 = v75['max_files_touched']
     if not isinstance(v8, int) and (not (isinstance(v8, float) and v8.is_integer())) or isinstance(v8, bool):
      raise Invalid('task.diff_limits.max_files_touched must be integer')
     if isinstance(v8, (int, float, float)):
      if v8 < 1:
       raise Invalid('task.diff_limits.max_files_touched must be bigger than or equal to 1')
      if v8 > 500:
       raise Invalid('task.diff_limits.max_files_touched must be smaller than or equal to 500')
    if 'max_lines_changed' in v64:
     v64.remove('max_lines_changed')
     v9 = v75['max_lines_changed']
     if not isinstance(v9, int) and (not (isinstance(v9, float) and v9.is_integer())) or isinstance(v9, bool):
      raise Invalid('task.diff_limits.max_lines_changed must be integer')
     if isinstance(v9, (int, float, float)):
      if v9 < 1:
       raise Invalid('task.diff_limits.max_lines_changed must be bigger than or equal to 1')
      if v9 > 20000:
       raise Invalid('task.diff_limits.max_lines_changed must be smaller than or equal to 20000')
    if v64:
     raise Invalid('task.diff_limits must not contain ' + str(v64) + ' properties')
  if 'verification' in v87:
   v87.remove('verification')
   v73 = data['verification']
   if not isinstance(v73, dict):
    raise Invalid('task.verification must be object')
   v46 = isinstance(v73, dict)
   if v46:
    v17 = set(['fast', 'slow']) - v73.keys()
    if v17:
     raise Invalid('task.verification must contain ' + (str(sorted(v17)) + ' properties'))
    v57 = set(v73.keys())
    if 'fast' in v57:
     v57.remove('fast')
     v53 = v73['fast']
     if not isinstance(v53, (list, tuple)):
      raise Invalid('task.verification.fast must be array')
     v16 = isinstance(v53, (list, tuple))
     if v16:
      v33 = len(v53)
      if v33 > 16:
       raise Invalid('task.verification.fast must contain less than or equal to 16 items')

      def fn(var):
       return frozenset(dict(((k, fn(v)) for k, v in var.items())).items()) if hasattr(var, 'items') else tuple((fn(v) for v in var)) if isinstance(var, (dict, list)) else str(var) if isinstance(var, bool) else var
      if v33 > len(set((fn(v43) for v43 in v53))):
       raise Invalid('task.verification.fast must contain unique items')
      for v43, v29 in enumerate(v53):
       if not isinstance(v29, str):
        raise Invalid('task' + '.verification.fast[{v43}]'.format(**locals()) + ' must be string')
       if isinstance(v29, str):
        v12 = len(v29)
        if v12 < 1:
         raise Invalid('task' + '.verification.fast[{v43}]'.format(**locals()) + ' must be longer than or equal to 1 characters')
        if v12 > 64:
         raise Invalid('task' + '.verification.fast[{v43}]'.format(**locals()) + ' must be shorter than or equal to 64 characters')
    if 'slow' in v57:
     v57.remove('slow')
     v54 = v73['slow']
     if not isinstance(v54, (list, tuple)):
      raise Invalid('task.verification.slow must be array')
     v19 = isinstance(v54, (list, tuple))
     if v19:
      v34 = len(v54)
      if v34 > 16:
       raise Invalid('task.verification.slow must contain less than or equal to 16 items')

      def fn(var):
       return frozenset(dict(((k, fn(v)) for k, v in var.items())).items()) if hasattr(var, 'items') else tuple((fn(v) for v in var)) if isinstance(var, (dict, list)) else str(var) if isinstance(var, bool) else var
      if v34 > len(set((fn(v45) for v45 in v54))):
       raise Invalid('task.verification.slow must contain unique items')
      for v45, v30 in enumerate(v54):
       if not isinstance(v30, str):
        raise Invalid('task' + '.verification.slow[{v45}]'.format(**locals()) + ' must be string')
       if isinstance(v30, str):
        v13 = len(v30)
        if v13 < 1:
         raise Invalid('task' + '.verification.slow[{v45}]'.format(**locals()) + ' must be longer than or equal to 1 characters')
        if v13 > 64:
         raise Invalid('task' + '.verification.slow[{v45}]'.format(**locals()) + ' must be shorter than or equal to 64 characters')
    if 'params' in v57:
     v57.remove('params')
     v44 = v73['params']
     if not isinstance(v44, dict):
      raise Invalid('task.verification.params must be object')
     v7 = isinstance(v44, dict)
     if v7:
      v23 = set(v44.keys())
      for v26 in v23:
       if v26 not in []:
        v18 = v44.get(v26)
        if not isinstance(v18, dict):
         raise Invalid('task' + '.verification.params.{v26}'.format(**locals()) + ' must be object')
        v0 = isinstance(v18, dict)
        if v0:
         v2 = set(v18.keys())
         for v4 in v2:
          if v4 not in []:
           v1 = v18.get(v4)
           if not isinstance(v1, (str, int, float, float, bool, NoneType)):
            raise Invalid('task' + '.verification.params.{v26}.{v4}'.format(**locals()) + ' must be string or number or boolean or null')
    if v57:
     raise Invalid('task.verification must not contain ' + str(v57) + ' properties')
  if 'builder' in v87:
   v87.remove('builder')
   v81 = data['builder']
   if not isinstance(v81, dict):
    raise Invalid('task.builder must be object')
   try:
    v60 = isinstance(v81, dict)
    if v60:
     v36 = set(['mode']) - v81.keys()
     if v36:
      raise Invalid('task.builder must contain ' + (str(sorted(v36)) + ' properties'))
     v70 = set(v81.keys())
     if 'mode' in v70:
      v70.remove('mode')
      v67 = v81['mode']
      if v67 != 'patch':
       raise Invalid('task.builder.mode must be same as const definition: patch')
   except Invalid:
    pass
   else:
    v60 = isinstance(v81, dict)
    if v60:
     v36 = set(['patch']) - v81.keys()
     if v36:
      raise Invalid('task.builder must contain ' + (str(sorted(v36)) + ' properties'))
   v60 = isinstance(v81, dict)
   if v60:
    v36 = set(['mode', 'max_turns', 'instructions']) - v81.keys()
    if v36:
     raise Invalid('task.builder must contain ' + (str(sorted(v36)) + ' properties'))
    v70 = set(v81.keys())
    if 'mode' in v70:
     v70.remove('mode')
     v67 = v81['mode']
     if not isinstance(v67, str):
      raise Invalid('task.builder.mode must be string')
     if v67 not in ['claude_code', 'patch', 'cursor']:
      raise Invalid("task.builder.mode must be one of ['claude_code', 'patch', 'cursor']")
    if 'max_turns' in v70:
     v70.remove('max_turns')
     v55 = v81['max_turns']
     if not isinstance(v55, int) and (not (isinstance(v55, float) and v55.is_integer())) or isinstance(v55, bool):
      raise Invalid('task.builder.max_turns must be integer')
     if isinstance(v55, (int, float, float)):
      if v55 < 1:
       raise Invalid('task.builder.max_turns must be bigger than or equal to 1')
      if v55 > 40:
       raise Invalid('task.builder.max_turns must be smaller than or equal to 40')
    if 'instructions' in v70:
     v70.remove('instructions')
     v35 = v81['instructions']
     if not isinstance(v35, str):
      raise Invalid('task.builder.instructions must be string')
     if isinstance(v35, str):
      v20 = len(v35)
      if v20 < 1:
       raise Invalid('task.builder.instructions must be longer than or equal to 1 characters')
      if v20 > 4000:
       raise Invalid('task.builder.instructions must be shorter than or equal to 4000 characters')
    if 'patch' in v70:
     v70.remove('patch')
     v66 = v81['patch']
     if not isinstance(v66, str):
      raise Invalid('task.builder.patch must be string')
     if isinstance(v66, str):
      v51 = len(v66)
      if v51 < 1:
       raise Invalid('task.builder.patch must be longer than or equal to 1 characters')
      if v51 > 500000:
       raise Invalid('task.builder.patch must be shorter than or equal to 500000 characters')
    if v70:
     raise Invalid('task.builder must not contain ' + str(v70) + ' properties')
  if 'control' in v87:
   v87.remove('control')
   v82 = data['control']
   if not isinstance(v82, dict):
    raise Invalid('task.control must be object')
   v63 = isinstance(v82, dict)
   if v63:
    v37 = set(['action']) - v82.keys()
    if v37:
     raise Invalid('task.control must contain ' + (str(sorted(v37)) + ' properties'))
    v71 = set(v82.keys())
    if 'action' in v71:
     v71.remove('action')
     v61 = v82['action']
     if not isinstance(v61, str):
      raise Invalid('task.control.action must be string')
     if v61 not in ['continue', 'stop']:
      raise Invalid("task.control.action must be one of ['continue', 'stop']")
    if 'reason' in v71:
     v71.remove('reason')
     v62 = v82['reason']
     if not isinstance(v62, str):
      raise Invalid('task.control.reason must be string')
     if isinstance(v62, str):
      v47 = len(v62)
      if v47 > 400:
       raise Invalid('task.control.reason must be shorter than or equal to 400 characters')
    if v71:
     raise Invalid('task.control must not contain ' + str(v71) + ' properties')
  if v87:
   raise Invalid('task must not contain ' + str(v87) + ' properties')
 return data

def validate(document):
 return validate_https___relais_local_schemas_task_schema_json(document)
