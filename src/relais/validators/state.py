"""Generated from state.schema.json by `make validators` with fastjsonschema; never edited."""

import re

from relais.text.documents import Invalid

REGEX_PATTERNS = {'^[A-Za-z0-9][A-Za-z0-9._-]*$': re.compile('^[A-Za-z0-9][A-Za-z0-9._-]*\\Z')}
NoneType = type(None)

def validate_https___relais_local_schemas_state_schema_json(data, custom_formats={}, name_prefix=None):
 if not isinstance(data, dict):
  raise Invalid('state must be object')
 v89 = isinstance(data, dict)
 if v89:
  v68 = set(['schema_version', 'milestone_id', 'budgets', 'budget_warning', 'last_run_id', 'last_verdict']) - data.keys()
  if v68:
   raise Invalid('state must contain ' + (str(sorted(v68)) + ' properties'))
  v91 = set(data.keys())
  if 'schema_version' in v91:
   v91.remove('schema_version')
   v63 = data['schema_version']
   if not isinstance(v63, int) and (not (isinstance(v63, float) and v63.is_integer())) or isinstance(v63, bool):
    raise Invalid('state.schema_version must be integer')
   if isinstance(v63, (int, float, float)):
    if v63 < 1:
     raise Invalid('state.schema_version must be bigger than or equal to 1')
    if v63 > 1:
     raise Invalid('state.schema_version must be smaller than or equal to 1')
  if 'milestone_id' in v91:
   v91.remove('milestone_id')
   v73 = data['milestone_id']
   if not isinstance(v73, (str, NoneType)):
    raise Invalid('state.milestone_id must be string or null')
   if isinstance(v73, str):
    v54 = len(v73)
    if v54 < 1:
     raise Invalid('state.milestone_id must be longer than or equal to 1 characters')
    if v54 > 80:
     raise Invalid('state.milestone_id must be shorter than or equal to 80 characters')
    if not REGEX_PATTERNS['^[A-Za-z0-9][A-Za-z0-9._-]*$'].search(v73):
     raise Invalid('state.milestone_id must match pattern ^[A-Za-z0-9][A-Za-z0-9._-]*$')
  if 'budgets' in v91:
   v91.remove('budgets')
   v87 = data['budgets']
   if not isinstance(v87, dict):
    raise Invalid('state.budgets must be object')
   v52 = isinstance(v87, dict)
   if v52:
    v22 = set(['ticks', 'orchestrator_calls', 'builder_calls', 'verify_runs']) - v87.keys()
    if v22:
     raise Invalid('state.budgets must contain ' + (str(sorted(v22)) + ' properties'))
    v66 = set(v87.keys())
    if 'ticks' in v66:
     v66.remove('ticks')
     v56 = v87['ticks']
     if not isinstance(v56, int) and (not (isinstance(v56, float) and v56.is_integer())) or isinstance(v56, bool):
      raise Invalid('state.budgets.ticks must be integer')
     if isinstance(v56, (int, float, float)):
      if v56 < 0:
       raise Invalid('state.budgets.ticks must be bigger than or equal to 0')
    if 'orchestrator_calls' in v66:
     v66.remove('orchestrator_calls')
     v2 = v87['orchestrator_calls']
     if not isinstance(v2, int) and (not (isinstance(v2, float) and v2.is_integer())) or isinstance(v2, bool):
      raise Invalid('state.budgets.orchestrator_calls must be integer')
     if isinstance(v2, (int, float, float)):
      if v2 < 0:
       raise Invalid('state.budgets.orchestrator_calls must be bigger than or equal to 0')
    if 'builder_calls' in v66:
     v66.remove('builder_calls')
     v21 = v87['builder_calls']
     if not isinstance(v21, int) and (not (isinstance(v21, float) and v21.is_integer())) or isinstance(v21, bool):
      raise Invalid('state.budgets.builder_calls must be integer')
     if isinstance(v21, (int, float, float)):
      if v21 < 0:
       raise Invalid('state.budgets.builder_calls must be bigger than or equal to 0')
    if 'verify_runs' in v66:
     v66.remove('verify_runs')
     v32 = v87['verify_runs']
     if not isinstance(v32, int) and (not (isinstance(v32, float) and v32.is_integer())) or isinstance(v32, bool):
      raise Invalid('state.budgets.verify_runs must be integer')
     if isinstance(v32, (int, float, float)):
      if v32 < 0:
       raise Invalid('state.budgets.verify_runs must be bigger than or equal to 0')
    if 'estimated_cost_usd' in v66:
     v66.remove('estimated_cost_usd')
     v6 = v87['estimated_cost_usd']
     if not isinstance(v6, (int, float, float)) or isinstance(v6, bool):
      raise Invalid('state.budgets.estimated_cost_usd must be number')
     if isinstance(v6, (int, float, float)):
      if v6 < 0:
       raise Invalid('state.budgets.estimated_cost_usd must be bigger than or equal to 0')
    if 'patch_attempts' in v66:
     v66.remove('patch_attempts')
     v16 = v87['patch_attempts']
     if not isinstance(v16, int) and (not (isinstance(v16, float) and v16.is_integer())) or isinstance(v16, bool):
      raise Invalid('state.budgets.patch_attempts must be integer')
     if isinstance(v16, (int, float, float)):
      if v16 < 0:
       raise Invalid('state.budgets.patch_attempts must be bigger than or equal to 0')
    if 'calls_without_cost' in v66:
     v66.remove('calls_without_cost')
     v5 = v87['calls_without_cost']
     if not isinstance(v5, int) and (not (isinstance(v5, float) and v5.is_integer())) or isinstance(v5, bool):
      raise Invalid('state.budgets.calls_without_cost must be integer')
     if isinstance(v5, (int, float, float)):
      if v5 < 0:
       raise Invalid('state.budgets.calls_without_cost must be bigger than or equal to 0')
    if v66:
     raise Invalid('state.budgets must not contain ' + str(v66) + ' properties')
  if 'total' in v91:
   v91.remove('total')
   v90 = data['total']
   if not isinstance(v90, dict):
    raise Invalid('state.total must be object')
   v64 = isinstance(v90, dict)
   if v64:
    v38 = set(['ticks', 'orchestrator_calls', 'builder_calls', 'verify_runs']) - v90.keys()
    if v38:
     raise Invalid('state.total must contain ' + (str(sorted(v38)) + ' properties'))
    v77 = set(v90.keys())
    if 'ticks' in v77:
     v77.remove('ticks')
     v70 = v90['ticks']
     if not isinstance(v70, int) and (not (isinstance(v70, float) and v70.is_integer())) or isinstance(v70, bool):
      raise Invalid('state.total.ticks must be integer')
     if isinstance(v70, (int, float, float)):
      if v70 < 0:
       raise Invalid('state.total.ticks must be bigger than or equal to 0')
    if 'orchestrator_calls' in v77:
     v77.remove('orchestrator_calls')
     v12 = v90['orchestrator_calls']
     if not isinstance(v12, int) and (not (isinstance(v12, float) and v12.is_integer())) or isinstance(v12, bool):
      raise Invalid('state.total.orchestrator_calls must be integer')
     if isinstance(v12, (int, float, float)):
      if v12 < 0:
       raise Invalid('state.total.orchestrator_calls must be bigger than or equal to 0')
    if 'builder_calls' in v77:
     v77.remove('builder_calls')
     v37 = v90['builder_calls']
     if not isinstance(v37, int) and (not (isinstance(v37, float) and v37.is_integer())) or isinstance(v37, bool):
      raise Invalid('state.total.builder_calls must be integer')
     if isinstance(v37, (int, float, float)):
      if v37 < 0:
       raise Invalid('state.total.builder_calls must be bigger than or equal to 0')
    if 'verify_runs' in v77:
     v77.remove('verify_runs')
     v46 = v90['verify_runs']
     if not isinstance(v46, int) and (not (isinstance(v46, float) and v46.is_integer())) or isinstance(v46, bool):
      raise Invalid('state.total.verify_runs must be integer')
     if isinstance(v46, (int, float, float)):
      if v46 < 0:
       raise Invalid('state.total.verify_runs must be bigger than or equal to 0')
    if 'estimated_cost_usd' in v77:
     v77.remove('estimated_cost_usd')
     v15 = v90['estimated_cost_usd']
     if not isinstance(v15, (int, float, float)) or isinstance(v15, bool):
      raise Invalid('state.total.estimated_cost_usd must be number')
     if isinstance(v15, (int, float, float)):
      if v15 < 0:
       raise Invalid('state.total.estimated_cost_usd must be bigger than or equal to 0')
    if 'patch_attempts' in v77:
     v77.remove('patch_attempts')
     v30 = v90['patch_attempts']
     if not isinstance(v30, int) and (not (isinstance(v30, float) and v30.is_integer())) or isinstance(v30, bool):
      raise Invalid('state.total.patch_attempts must be integer')
     if isinstance(v30, (int, float, float)):
      if v30 < 0:
       raise Invalid('state.total.patch_attempts must be bigger than or equal to 0')
    if 'calls_without_cost' in v77:
     v77.remove('calls_without_cost')
     v14 = v90['calls_without_cost']
     if not isinstance(v14, int) and (not (isinstance(v14, float) and v14.is_integer())) or isinstance(v14, bool):
      raise Invalid('state.total.calls_without_cost must be integer')
     if isinstance(v14, (int, float, float)):
      if v14 < 0:
       raise Invalid('state.total.calls_without_cost must be bigger than or equal to 0')
    if v77:
     raise Invalid('state.total must not contain ' + str(v77) + ' properties')
  if 'budget_warning' in v91:
   v91.remove('budget_warning')
   v58 = data['budget_warning']
   if not isinstance(v58, bool):
    raise Invalid('state.budget_warning must be boolean')
  if 'last_run_id' in v91:
   v91.remove('last_run_id')
   v81 = data['last_run_id']
   if not isinstance(v81, (str, NoneType)):
    raise Invalid('state.last_run_id must be string or null')
   if isinstance(v81, str):
    v60 = len(v81)
    if v60 < 1:
     raise Invalid('state.last_run_id must be longer than or equal to 1 characters')
    if v60 > 80:
     raise Invalid('state.last_run_id must be shorter than or equal to 80 characters')
  if 'last_verdict' in v91:
   v91.remove('last_verdict')
   v72 = data['last_verdict']
   if not isinstance(v72, (str, NoneType)):
    raise Invalid('state.last_verdict must be string or null')
   if isinstance(v72, str):
    v53 = len(v72)
    if v53 < 1:
     raise Invalid('state.last_verdict must be longer than or equal to 1 characters')
    if v53 > 20:
     raise Invalid('state.last_verdict must be shorter than or equal to 20 characters')
  if 'last_code' in v91:
   v91.remove('last_code')
   v82 = data['last_code']
   if not isinstance(v82, (str, NoneType)):
    raise Invalid('state.last_code must be string or null')
   if isinstance(v82, str):
    v67 = len(v82)
    if v67 < 1:
     raise Invalid('state.last_code must be longer than or equal to 1 characters')
    if v67 > 80:
     raise Invalid('state.last_code must be shorter than or equal to 80 characters')
  if 'last_completed_run_id' in v91:
   v91.remove('last_completed_run_id')
   v39 = data['last_completed_run_id']
   if not isinstance(v39, (str, NoneType)):
    raise Invalid('state.last_completed_run_id must be string or null')
   if isinstance(v39, str):
    v17 = len(v39)
    if v17 < 1:
     raise Invalid('state.last_completed_run_id must be longer than or equal to 1 characters')
    if v17 > 80:
     raise Invalid('state.last_completed_run_id must be shorter than or equal to 80 characters')
  if 'question' in v91:
   v91.remove('question')
   v83 = data['question']
   if not isinstance(v83, dict):
    raise Invalid('state.question must be object')
   v48 = isinstance(v83, dict)
   if v48:
    v19 = set(['run_id', 'milestone_id', 'prompt']) - v83.keys()
    if v19:
     raise Invalid('state.question must contain ' + (str(sorted(v19)) + ' properties'))
    v61 = set(v83.keys())
    if 'run_id' in v61:
     v61.remove('run_id')
     v55 = v83['run_id']
     if not isinstance(v55, str):
      raise Invalid('state.question.run_id must be string')
     if isinstance(v55, str):
      v34 = len(v55)
      if v34 < 1:
       raise Invalid('state.question.run_id must be longer than or equal to 1 characters')
    if 'milestone_id' in v61:
     v61.remove('milestone_id')
     v24 = v83['milestone_id']
     if not isinstance(v24, str):
      raise Invalid('state.question.milestone_id must be string')
     if isinstance(v24, str):
      v8 = len(v24)
      if v8 < 1:
       raise Invalid('state.question.milestone_id must be longer than or equal to 1 characters')
    if 'prompt' in v61:
     v61.remove('prompt')
     v47 = v83['prompt']
     if not isinstance(v47, str):
      raise Invalid('state.question.prompt must be string')
     if isinstance(v47, str):
      v29 = len(v47)
      if v29 < 1:
       raise Invalid('state.question.prompt must be longer than or equal to 1 characters')
      if v29 > 2000:
       raise Invalid('state.question.prompt must be shorter than or equal to 2000 characters')
    if 'choices' in v61:
     v61.remove('choices')
     v43 = v83['choices']
     if not isinstance(v43, (list, tuple)):
      raise Invalid('state.question.choices must be array')
     v7 = isinstance(v43, (list, tuple))
     if v7:
      v23 = len(v43)
      if v23 > 12:
       raise Invalid('state.question.choices must contain less than or equal to 12 items')
      for v33, v18 in enumerate(v43):
       if not isinstance(v18, str):
        raise Invalid('state' + '.question.choices[{v33}]'.format(**locals()) + ' must be string')
       if isinstance(v18, str):
        v3 = len(v18)
        if v3 < 1:
         raise Invalid('state' + '.question.choices[{v33}]'.format(**locals()) + ' must be longer than or equal to 1 characters')
        if v3 > 200:
         raise Invalid('state' + '.question.choices[{v33}]'.format(**locals()) + ' must be shorter than or equal to 200 characters')
    if v61:
     raise Invalid('state.question must not contain ' + str(v61) + ' properties')
  if 'answers' in v91:
   v91.remove('answers')
   v86 = data['answers']
   if not isinstance(v86, (list, tuple)):
    raise Invalid('state.answers must be array')
   v51 = isinstance(v86, (list, tuple))
   if v51:
    v71 = len(v86)
    for v78, v65 in enumerate(v86):
     if not isinstance(v65, dict):
      raise Invalid('state' + '.answers[{v78}]'.format(**locals()) + ' must be object')
     v28 = isinstance(v65, dict)
     if v28:
      v1 = set(['run_id', 'milestone_id', 'prompt', 'answer']) - v65.keys()
      if v1:
       raise Invalid('state' + '.answers[{v78}]'.format(**locals()) + ' must contain ' + (str(sorted(v1)) + ' properties'))
      v42 = set(v65.keys())
      if 'run_id' in v42:
       v42.remove('run_id')
       v31 = v65['run_id']
       if not isinstance(v31, str):
        raise Invalid('state' + '.answers[{v78}].run_id'.format(**locals()) + ' must be string')
       if isinstance(v31, str):
        v13 = len(v31)
        if v13 < 1:
         raise Invalid('state' + '.answers[{v78}].run_id'.format(**locals()) + ' must be longer than or equal to 1 characters')
      if 'milestone_id' in v42:
       v42.remove('milestone_id')
       v4 = v65['milestone_id']
       if not isinstance(v4, str):
        raise Invalid('state' + '.answers[{v78}].milestone_id'.format(**locals()) + ' must be string')
       if isinstance(v4, str):
        v0 = len(v4)
        if v0 < 1:
         raise Invalid('state' + '.answers[{v78}].milestone_id'.format(**locals()) + ' must be longer than or equal to 1 characters')
      if 'prompt' in v42:
       v42.remove('prompt')
       v27 = v65['prompt']
       if not isinstance(v27, str):
        raise Invalid('state' + '.answers[{v78}].prompt'.format(**locals()) + ' must be string')
       if isinstance(v27, str):
        v11 = len(v27)
        if v11 < 1:
         raise Invalid('state' + '.answers[{v78}].prompt'.format(**locals()) + ' must be longer than or equal to 1 characters')
        if v11 > 2000:
         raise Invalid('state' + '.answers[{v78}].prompt'.format(**locals()) + ' must be shorter than or equal to 2000 characters')
      if 'answer' in v42:
       v42.remove('answer')
       v26 = v65['answer']
       if not isinstance(v26, str):
        raise Invalid('state' + '.answers[{v78}].answer'.format(**locals()) + ' must be string')
       if isinstance(v26, str):
        v10 = len(v26)
        if v10 > 2000:
         raise Invalid('state' + '.answers[{v78}].answer'.format(**locals()) + ' must be shorter than or equal to 2000 characters')
      if v42:
       raise Invalid('state' + '.answers[{v78}]'.format(**locals()) + ' must not contain ' + str(v42) + ' properties')
  if 'idle_ticks' in v91:
   v91.remove('idle_ticks')
   v80 = data['idle_ticks']
   if not isinstance(v80, int) and (not (isinstance(v80, float) and v80.is_integer())) or isinstance(v80, bool):
    raise Invalid('state.idle_ticks must be integer')
   if isinstance(v80, (int, float, float)):
    if v80 < 0:
     raise Invalid('state.idle_ticks must be bigger than or equal to 0')
  if 'idle_since' in v91:
   v91.remove('idle_since')
   v79 = data['idle_since']
   if not isinstance(v79, str):
    raise Invalid('state.idle_since must be string')
   if isinstance(v79, str):
    v59 = len(v79)
    if v59 > 64:
     raise Invalid('state.idle_since must be shorter than or equal to 64 characters')
  if 'rejected' in v91:
   v91.remove('rejected')
   v85 = data['rejected']
   if not isinstance(v85, (list, tuple)):
    raise Invalid('state.rejected must be array')
   v50 = isinstance(v85, (list, tuple))
   if v50:
    v69 = len(v85)
    for v76, v62 in enumerate(v85):
     if not isinstance(v62, str):
      raise Invalid('state' + '.rejected[{v76}]'.format(**locals()) + ' must be string')
     if isinstance(v62, str):
      v45 = len(v62)
      if v45 < 1:
       raise Invalid('state' + '.rejected[{v76}]'.format(**locals()) + ' must be longer than or equal to 1 characters')
      if v45 > 64:
       raise Invalid('state' + '.rejected[{v76}]'.format(**locals()) + ' must be shorter than or equal to 64 characters')
  if 'recent' in v91:
   v91.remove('recent')
   v88 = data['recent']
   if not isinstance(v88, (list, tuple)):
    raise Invalid('state.recent must be array')
   v57 = isinstance(v88, (list, tuple))
   if v57:
    v75 = len(v88)
    if v75 > 5:
     raise Invalid('state.recent must contain less than or equal to 5 items')
    for v84, v74 in enumerate(v88):
     if not isinstance(v74, dict):
      raise Invalid('state' + '.recent[{v84}]'.format(**locals()) + ' must be object')
     v36 = isinstance(v74, dict)
     if v36:
      v9 = set(['run_id', 'code', 'intent', 'blast']) - v74.keys()
      if v9:
       raise Invalid('state' + '.recent[{v84}]'.format(**locals()) + ' must contain ' + (str(sorted(v9)) + ' properties'))
      v49 = set(v74.keys())
      if 'run_id' in v49:
       v49.remove('run_id')
       v41 = v74['run_id']
       if not isinstance(v41, str):
        raise Invalid('state' + '.recent[{v84}].run_id'.format(**locals()) + ' must be string')
       if isinstance(v41, str):
        v20 = len(v41)
        if v20 < 1:
         raise Invalid('state' + '.recent[{v84}].run_id'.format(**locals()) + ' must be longer than or equal to 1 characters')
      if 'code' in v49:
       v49.remove('code')
       v44 = v74['code']
       if not isinstance(v44, str):
        raise Invalid('state' + '.recent[{v84}].code'.format(**locals()) + ' must be string')
       if isinstance(v44, str):
        v25 = len(v44)
        if v25 < 1:
         raise Invalid('state' + '.recent[{v84}].code'.format(**locals()) + ' must be longer than or equal to 1 characters')
      if 'intent' in v49:
       v49.remove('intent')
       v35 = v74['intent']
       if not isinstance(v35, str):
        raise Invalid('state' + '.recent[{v84}].intent'.format(**locals()) + ' must be string')
      if 'blast' in v49:
       v49.remove('blast')
       v40 = v74['blast']
       if not isinstance(v40, str):
        raise Invalid('state' + '.recent[{v84}].blast'.format(**locals()) + ' must be string')
      if v49:
       raise Invalid('state' + '.recent[{v84}]'.format(**locals()) + ' must not contain ' + str(v49) + ' properties')
  if v91:
   raise Invalid('state must not contain ' + str(v91) + ' properties')
 return data

def validate(document):
 return validate_https___relais_local_schemas_state_schema_json(document)
