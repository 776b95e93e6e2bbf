"""Generated from report.schema.json by `make validators` with fastjsonschema; never edited."""

import re

from relais.text.documents import Invalid

REGEX_PATTERNS = {'^SUCCESS': re.compile('^SUCCESS'), '^STOP': re.compile('^STOP'), '^BLOCKED': re.compile('^BLOCKED'), '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?(Z|[+-]\\d{2}:\\d{2})$': re.compile('^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?(Z|[+-]\\d{2}:\\d{2})\\Z')}
NoneType = type(None)

def validate_https___relais_local_schemas_report_schema_json(data, custom_formats={}, name_prefix=None):
 if not isinstance(data, dict):
  raise Invalid('report must be object')
 try:
  v233 = isinstance(data, dict)
  if v233:
   v187 = set(['code']) - data.keys()
   if v187:
    raise Invalid('report must contain ' + (str(sorted(v187)) + ' properties'))
   v241 = set(data.keys())
   if 'code' in v241:
    v241.remove('code')
    v238 = data['code']
    if isinstance(v238, str):
     if not REGEX_PATTERNS['^SUCCESS'].search(v238):
      raise Invalid('report.code must match pattern ^SUCCESS')
 except Invalid:
  pass
 else:
  v233 = isinstance(data, dict)
  if v233:
   v241 = set(data.keys())
   if 'verdict' in v241:
    v241.remove('verdict')
    v227 = data['verdict']
    if v227 != 'success':
     raise Invalid('report.verdict must be same as const definition: success')
 try:
  v233 = isinstance(data, dict)
  if v233:
   v187 = set(['code']) - data.keys()
   if v187:
    raise Invalid('report must contain ' + (str(sorted(v187)) + ' properties'))
   v241 = set(data.keys())
   if 'code' in v241:
    v241.remove('code')
    v238 = data['code']
    if isinstance(v238, str):
     if not REGEX_PATTERNS['^STOP'].search(v238):
      raise Invalid('report.code must match pattern ^STOP')
 except Invalid:
  pass
 else:
  v233 = isinstance(data, dict)
  if v233:
   v241 = set(data.keys())
   if 'verdict' in v241:
    v241.remove('verdict')
    v227 = data['verdict']
    if v227 != 'stop':
     raise Invalid('report.verdict must be same as const definition: stop')
 try:
  v233 = isinstance(data, dict)
  if v233:
   v187 = set(['code']) - data.keys()
   if v187:
    raise Invalid('report must contain ' + (str(sorted(v187)) + ' properties'))
   v241 = set(data.keys())
   if 'code' in v241:
    v241.remove('code')
    v238 = data['code']
    if isinstance(v238, str):
     if not REGEX_PATTERNS['^BLOCKED'].search(v238):
      raise Invalid('report.code must match pattern ^BLOCKED')
 except Invalid:
  pass
 else:
  v233 = isinstance(data, dict)
  if v233:
   v241 = set(data.keys())
   if 'verdict' in v241:
    v241.remove('verdict')
    v227 = data['verdict']
    if v227 != 'blocked':
     raise Invalid('report.verdict must be same as const definition: blocked')
 v233 = isinstance(data, dict)
 if v233:
  v187 = set(['run_id', 'started_at', 'ended_at', 'duration_ms', 'base_commit', 'head_commit', 'task', 'verdict', 'code', 'blast_radius', 'scope', 'diff', 'verification', 'budgets']) - data.keys()
  if v187:
   raise Invalid('report must contain ' + (str(sorted(v187)) + ' properties'))
  v241 = set(data.keys())
  if 'run_id' in v241:
   v241.remove('run_id')
   v236 = data['run_id']
   if not isinstance(v236, str):
    raise Invalid('report.run_id must be string')
   if isinstance(v236, str):
    v214 = len(v236)
    if v214 < 8:
     raise Invalid('report.run_id must be longer than or equal to 8 characters')
    if v214 > 80:
     raise Invalid('report.run_id must be shorter than or equal to 80 characters')
  if 'started_at' in v241:
   v241.remove('started_at')
   v216 = data['started_at']
   if not isinstance(v216, str):
    raise Invalid('report.started_at must be string')
   if isinstance(v216, str):
    v180 = len(v216)
    if v180 < 1:
     raise Invalid('report.started_at must be longer than or equal to 1 characters')
    if not REGEX_PATTERNS['^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?(Z|[+-]\\d{2}:\\d{2})$'].search(v216):
     raise Invalid('report.started_at must match pattern ^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?(Z|[+-]\\d{2}:\\d{2})$')
  if 'ended_at' in v241:
   v241.remove('ended_at')
   v225 = data['ended_at']
   if not isinstance(v225, str):
    raise Invalid('report.ended_at must be string')
   if isinstance(v225, str):
    v197 = len(v225)
    if v197 < 1:
     raise Invalid('report.ended_at must be longer than or equal to 1 characters')
    if not REGEX_PATTERNS['^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?(Z|[+-]\\d{2}:\\d{2})$'].search(v225):
     raise Invalid('report.ended_at must match pattern ^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?(Z|[+-]\\d{2}:\\d{2})$')
  if 'duration_ms' in v241:
   v241.remove('duration_ms')
   v208 = data['duration_ms']
   if not isinstance(v208, int) and (not (isinstance(v208, float) and v208.is_integer())) or isinstance(v208, bool):
    raise Invalid('report.duration_ms must be integer')
   if isinstance(v208, (int, float, float)):
    if v208 < 0:
     raise Invalid('report.duration_ms must be bigger than or equal to 0')
  if 'base_commit' in v241:
   v241.remove('base_commit')
   v204 = data['base_commit']
   if not isinstance(v204, str):
    raise Invalid('report.base_commit must be string')
   if isinstance(v204, str):
    v159 = len(v204)
    if v159 < 7:
     raise Invalid('report.base_commit must be longer than or equal to 7 characters')
    if v159 > 64:
     raise Invalid('report.base_commit must be shorter than or equal to 64 characters')
  if 'head_commit' in v241:
   v241.remove('head_commit')
   v210 = data['head_commit']
   if not isinstance(v210, str):
    raise Invalid('report.head_commit must be string')
   if isinstance(v210, str):
    v166 = len(v210)
    if v166 < 7:
     raise Invalid('report.head_commit must be longer than or equal to 7 characters')
    if v166 > 64:
     raise Invalid('report.head_commit must be shorter than or equal to 64 characters')
  if 'task' in v241:
   v241.remove('task')
   v240 = data['task']
   if not isinstance(v240, dict):
    raise Invalid('report.task must be object')
   v192 = isinstance(v240, dict)
   if v192:
    v127 = set(['task_id', 'milestone_id', 'task_kind', 'intent']) - v240.keys()
    if v127:
     raise Invalid('report.task must contain ' + (str(sorted(v127)) + ' properties'))
    v217 = set(v240.keys())
    if 'task_id' in v217:
     v217.remove('task_id')
     v191 = v240['task_id']
     if not isinstance(v191, str):
      raise Invalid('report.task.task_id must be string')
     if isinstance(v191, str):
      v146 = len(v191)
      if v146 < 1:
       raise Invalid('report.task.task_id must be longer than or equal to 1 characters')
    if 'milestone_id' in v217:
     v217.remove('milestone_id')
     v135 = v240['milestone_id']
     if not isinstance(v135, str):
      raise Invalid('report.task.milestone_id must be string')
     if isinstance(v135, str):
      v87 = len(v135)
      if v87 < 1:
       raise Invalid('report.task.milestone_id must be longer than or equal to 1 characters')
    if 'task_kind' in v217:
     v217.remove('task_kind')
     v170 = v240['task_kind']
     if not isinstance(v170, str):
      raise Invalid('report.task.task_kind must be string')
     if v170 not in ['execute', 'verify_only', 'question']:
      raise Invalid("report.task.task_kind must be one of ['execute', 'verify_only', 'question']")
    if 'intent' in v217:
     v217.remove('intent')
     v190 = v240['intent']
     if not isinstance(v190, str):
      raise Invalid('report.task.intent must be string')
     if isinstance(v190, str):
      v145 = len(v190)
      if v145 < 1:
       raise Invalid('report.task.intent must be longer than or equal to 1 characters')
    if v217:
     raise Invalid('report.task must not contain ' + str(v217) + ' properties')
  if 'verdict' in v241:
   v241.remove('verdict')
   v227 = data['verdict']
   if not isinstance(v227, str):
    raise Invalid('report.verdict must be string')
   if v227 not in ['success', 'stop', 'blocked']:
    raise Invalid("report.verdict must be one of ['success', 'stop', 'blocked']")
  if 'code' in v241:
   v241.remove('code')
   v238 = data['code']
   if not isinstance(v238, str):
    raise Invalid('report.code must be string')
   if v238 not in ['SUCCESS', 'STOP_RUNNER_OWNED_MUTATION', 'STOP_SCOPE_VIOLATION_FORBIDDEN', 'STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED', 'STOP_SCOPE_VIOLATION_NEW_FILE', 'STOP_LOCKFILE_CHANGE_FORBIDDEN', 'STOP_DIFF_TOO_LARGE', 'STOP_QUESTION_SIDE_EFFECTS', 'STOP_VERIFY_ONLY_SIDE_EFFECTS', 'STOP_HEAD_MOVED', 'STOP_VERIFY_TAINTED', 'STOP_VERIFY_FAILED_FAST', 'STOP_VERIFY_FAILED_SLOW', 'STOP_BUILDER_OUTPUT_INVALID', 'STOP_BUILDER_REFUSED', 'STOP_BUILDER_TIMEOUT', 'STOP_PATCH_REJECTED', 'STOP_PATCH_APPLY_FAILED', 'STOP_SECRET_DETECTED', 'STOP_REVIEW_REJECTED', 'STOP_MILESTONE_CHANGED', 'STOP_IDENTICAL_TASK', 'STOP_INTERRUPTED', 'BLOCKED_MISSING_CONFIG', 'BLOCKED_LOCK_HELD', 'BLOCKED_CRASH_RECOVERY_REQUIRED', 'BLOCKED_DIRTY_WORKTREE', 'BLOCKED_HISTORY_CAP_CLEANUP_REQUIRED', 'BLOCKED_AGENT_UNAVAILABLE', 'BLOCKED_RATE_LIMITED', 'BLOCKED_QUESTION_PENDING', 'BLOCKED_STUCK', 'BLOCKED_BUDGET_CAP', 'BLOCKED_BUDGET_EXHAUSTED', 'BLOCKED_ORCHESTRATOR_OUTPUT_INVALID']:
    raise Invalid("report.code must be one of ['SUCCESS', 'STOP_RUNNER_OWNED_MUTATION', 'STOP_SCOPE_VIOLATION_FORBIDDEN', 'STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED', 'STOP_SCOPE_VIOLATION_NEW_FILE', 'STOP_LOCKFILE_CHANGE_FORBIDDEN', 'STOP_DIFF_TOO_LARGE', 'STOP_QUESTION_SIDE_EFFECTS', 'STOP_VERIFY_ONLY_SIDE_EFFECTS', 'STOP_HEAD_MOVED', 'STOP_VERIFY_TAINTED', 'STOP_VERIFY_FAILED_FAST', 'STOP_VERIFY_FAILED_SLOW', 'STOP_BUILDER_OUTPUT_INVALID', 'STOP_BUILDER_REFUSED', 'STOP_BUILDER_TIMEOUT', 'STOP_PATCH_REJECTED', 'STOP_PATCH_APPLY_FAILED', 'STOP_SECRET_DETECTED', 'STOP_REVIEW_REJECTED', 'STOP_MILESTONE_CHANGED', 'STOP_IDENTICAL_TASK', 'STOP_INTERRUPTED', 'BLOCKED_MISSING_CONFIG', 'BLOCKED_LOCK_HELD', 'BLOCKED_CRASH_RECOVERY_REQUIRED', 'BLOCKED_DIRTY_WORKTREE', 'BLOCKED_HISTORY_CAP_CLEANUP_REQUIRED', 'BLOCKED_AGENT_UNAVAILABLE', 'BLOCKED_RATE_LIMITED', 'BLOCKED_QUESTION_PENDING', 'BLOCKED_STUCK', 'BLOCKED_BUDGET_CAP', 'BLOCKED_BUDGET_EXHAUSTED', 'BLOCKED_ORCHESTRATOR_OUTPUT_INVALID']")
  if 'blast_radius' in v241:
   v241.remove('blast_radius')
   v194 = data['blast_radius']
   if not isinstance(v194, dict):
    raise Invalid('report.blast_radius must be object')
   v103 = isinstance(v194, dict)
   if v103:
    v48 = set(['files_touched', 'lines_added', 'lines_deleted', 'new_files']) - v194.keys()
    if v48:
     raise Invalid('report.blast_radius must contain ' + (str(sorted(v48)) + ' properties'))
    v139 = set(v194.keys())
    if 'files_touched' in v139:
     v139.remove('files_touched')
     v46 = v194['files_touched']
     if not isinstance(v46, int) and (not (isinstance(v46, float) and v46.is_integer())) or isinstance(v46, bool):
      raise Invalid('report.blast_radius.files_touched must be integer')
     if isinstance(v46, (int, float, float)):
      if v46 < 0:
       raise Invalid('report.blast_radius.files_touched must be bigger than or equal to 0')
    if 'lines_added' in v139:
     v139.remove('lines_added')
     v61 = v194['lines_added']
     if not isinstance(v61, int) and (not (isinstance(v61, float) and v61.is_integer())) or isinstance(v61, bool):
      raise Invalid('report.blast_radius.lines_added must be integer')
     if isinstance(v61, (int, float, float)):
      if v61 < 0:
       raise Invalid('report.blast_radius.lines_added must be bigger than or equal to 0')
    if 'lines_deleted' in v139:
     v139.remove('lines_deleted')
     v47 = v194['lines_deleted']
     if not isinstance(v47, int) and (not (isinstance(v47, float) and v47.is_integer())) or isinstance(v47, bool):
      raise Invalid('report.blast_radius.lines_deleted must be integer')
     if isinstance(v47, (int, float, float)):
      if v47 < 0:
       raise Invalid('report.blast_radius.lines_deleted must be bigger than or equal to 0')
    if 'new_files' in v139:
     v139.remove('new_files')
     v77 = v194['new_files']
     if not isinstance(v77, int) and (not (isinstance(v77, float) and v77.is_integer())) or isinstance(v77, bool):
      raise Invalid('report.blast_radius.new_files must be integer')
     if isinstance(v77, (int, float, float)):
      if v77 < 0:
       raise Invalid('report.blast_radius.new_files must be bigger than or equal to 0')
    if v139:
     raise Invalid('report.blast_radius must not contain ' + str(v139) + ' properties')
  if 'scope' in v241:
   v241.remove('scope')
   v237 = data['scope']
   if not isinstance(v237, dict):
    raise Invalid('report.scope must be object')
   v179 = isinstance(v237, dict)
   if v179:
    v115 = set(['ok', 'violations', 'touched_paths']) - v237.keys()
    if v115:
     raise Invalid('report.scope must contain ' + (str(sorted(v115)) + ' properties'))
    v211 = set(v237.keys())
    if 'ok' in v211:
     v211.remove('ok')
     v215 = v237['ok']
     if not isinstance(v215, bool):
      raise Invalid('report.scope.ok must be boolean')
    if 'violations' in v211:
     v211.remove('violations')
     v134 = v237['violations']
     if not isinstance(v134, (list, tuple)):
      raise Invalid('report.scope.violations must be array')
     v53 = isinstance(v134, (list, tuple))
     if v53:
      v86 = len(v134)
      if v86 > 200:
       raise Invalid('report.scope.violations must contain less than or equal to 200 items')
      for v117, v74 in enumerate(v134):
       if not isinstance(v74, str):
        raise Invalid('report' + '.scope.violations[{v117}]'.format(**locals()) + ' must be string')
       if isinstance(v74, str):
        v42 = len(v74)
        if v42 < 1:
         raise Invalid('report' + '.scope.violations[{v117}]'.format(**locals()) + ' must be longer than or equal to 1 characters')
        if v42 > 200:
         raise Invalid('report' + '.scope.violations[{v117}]'.format(**locals()) + ' must be shorter than or equal to 200 characters')
    if 'touched_paths' in v211:
     v211.remove('touched_paths')
     v116 = v237['touched_paths']
     if not isinstance(v116, (list, tuple)):
      raise Invalid('report.scope.touched_paths must be array')
     v35 = isinstance(v116, (list, tuple))
     if v35:
      v65 = len(v116)
      if v65 > 500:
       raise Invalid('report.scope.touched_paths must contain less than or equal to 500 items')
      for v85, v59 in enumerate(v116):
       if not isinstance(v59, str):
        raise Invalid('report' + '.scope.touched_paths[{v85}]'.format(**locals()) + ' must be string')
       if isinstance(v59, str):
        v31 = len(v59)
        if v31 < 1:
         raise Invalid('report' + '.scope.touched_paths[{v85}]'.format(**locals()) + ' must be longer than or equal to 1 characters')
        if v31 > 400:
         raise Invalid('report' + '.scope.touched_paths[{v85}]'.format(**locals()) + ' must be shorter than or equal to 400 characters')
    if v211:
     raise Invalid('report.scope must not contain ' + str(v211) + ' properties')
  if 'diff' in v241:
   v241.remove('diff')
   v239 = data['diff']
   if not isinstance(v239, dict):
    raise Invalid('report.diff must be object')
   v186 = isinstance(v239, dict)
   if v186:
    v123 = set(['files_changed', 'lines_changed', 'diff_patch_path']) - v239.keys()
    if v123:
     raise Invalid('report.diff must contain ' + (str(sorted(v123)) + ' properties'))
    v213 = set(v239.keys())
    if 'files_changed' in v213:
     v213.remove('files_changed')
     v121 = v239['files_changed']
     if not isinstance(v121, int) and (not (isinstance(v121, float) and v121.is_integer())) or isinstance(v121, bool):
      raise Invalid('report.diff.files_changed must be integer')
     if isinstance(v121, (int, float, float)):
      if v121 < 0:
       raise Invalid('report.diff.files_changed must be bigger than or equal to 0')
    if 'lines_changed' in v213:
     v213.remove('lines_changed')
     v122 = v239['lines_changed']
     if not isinstance(v122, int) and (not (isinstance(v122, float) and v122.is_integer())) or isinstance(v122, bool):
      raise Invalid('report.diff.lines_changed must be integer')
     if isinstance(v122, (int, float, float)):
      if v122 < 0:
       raise Invalid('report.diff.lines_changed must be bigger than or equal to 0')
    if 'diff_patch_path' in v213:
     v213.remove('diff_patch_path')
     v109 = v239['diff_patch_path']
     if not isinstance(v109, str):
      raise Invalid('report.diff.diff_patch_path must be string')
     if isinstance(v109, str):
      v63 = len(v109)
      if v63 < 1:
       raise Invalid('report.diff.diff_patch_path must be longer than or equal to 1 characters')
      if v63 > 300:
       raise Invalid('report.diff.diff_patch_path must be shorter than or equal to 300 characters')
    if v213:
     raise Invalid('report.diff must not contain ' + str(v213) + ' properties')
  if 'verification' in v241:
   v241.remove('verification')
   v193 = data['verification']
   if not isinstance(v193, dict):
    raise Invalid('report.verification must be object')
   v101 = isinstance(v193, dict)
   if v101:
    v43 = set(['exec_mode', 'runs', 'verify_log_path']) - v193.keys()
    if v43:
     raise Invalid('report.verification must contain ' + (str(sorted(v43)) + ' properties'))
    v136 = set(v193.keys())
    if 'exec_mode' in v136:
     v136.remove('exec_mode')
     v75 = v193['exec_mode']
     if not isinstance(v75, str):
      raise Invalid('report.verification.exec_mode must be string')
     if v75 not in ['argv_no_shell']:
      raise Invalid("report.verification.exec_mode must be one of ['argv_no_shell']")
    if 'runs' in v136:
     v136.remove('runs')
     v128 = v193['runs']
     if not isinstance(v128, (list, tuple)):
      raise Invalid('report.verification.runs must be array')
     v44 = isinstance(v128, (list, tuple))
     if v44:
      v76 = len(v128)
      if v76 > 40:
       raise Invalid('report.verification.runs must contain less than or equal to 40 items')
      for v100, v66 in enumerate(v128):
       if not isinstance(v66, dict):
        raise Invalid('report' + '.verification.runs[{v100}]'.format(**locals()) + ' must be object')
       v21 = isinstance(v66, dict)
       if v21:
        v4 = set(['template_id', 'phase', 'cmd', 'args', 'exit_code', 'duration_ms', 'timed_out']) - v66.keys()
        if v4:
         raise Invalid('report' + '.verification.runs[{v100}]'.format(**locals()) + ' must contain ' + (str(sorted(v4)) + ' properties'))
        v33 = set(v66.keys())
        if 'template_id' in v33:
         v33.remove('template_id')
         v10 = v66['template_id']
         if not isinstance(v10, str):
          raise Invalid('report' + '.verification.runs[{v100}].template_id'.format(**locals()) + ' must be string')
         if isinstance(v10, str):
          v1 = len(v10)
          if v1 < 1:
           raise Invalid('report' + '.verification.runs[{v100}].template_id'.format(**locals()) + ' must be longer than or equal to 1 characters')
          if v1 > 64:
           raise Invalid('report' + '.verification.runs[{v100}].template_id'.format(**locals()) + ' must be shorter than or equal to 64 characters')
        if 'phase' in v33:
         v33.remove('phase')
         v25 = v66['phase']
         if not isinstance(v25, str):
          raise Invalid('report' + '.verification.runs[{v100}].phase'.format(**locals()) + ' must be string')
         if v25 not in ['fast', 'slow']:
          raise Invalid('report' + '.verification.runs[{v100}].phase'.format(**locals()) + " must be one of ['fast', 'slow']")
        if 'cmd' in v33:
         v33.remove('cmd')
         v32 = v66['cmd']
         if not isinstance(v32, str):
          raise Invalid('report' + '.verification.runs[{v100}].cmd'.format(**locals()) + ' must be string')
         if isinstance(v32, str):
          v17 = len(v32)
          if v17 < 1:
           raise Invalid('report' + '.verification.runs[{v100}].cmd'.format(**locals()) + ' must be longer than or equal to 1 characters')
          if v17 > 120:
           raise Invalid('report' + '.verification.runs[{v100}].cmd'.format(**locals()) + ' must be shorter than or equal to 120 characters')
        if 'args' in v33:
         v33.remove('args')
         v29 = v66['args']
         if not isinstance(v29, (list, tuple)):
          raise Invalid('report' + '.verification.runs[{v100}].args'.format(**locals()) + ' must be array')
         v3 = isinstance(v29, (list, tuple))
         if v3:
          v12 = len(v29)
          if v12 > 40:
           raise Invalid('report' + '.verification.runs[{v100}].args'.format(**locals()) + ' must contain less than or equal to 40 items')
          for v20, v11 in enumerate(v29):
           if not isinstance(v11, str):
            raise Invalid('report' + '.verification.runs[{v100}].args[{v20}]'.format(**locals()) + ' must be string')
           if isinstance(v11, str):
            v2 = len(v11)
            if v2 > 200:
             raise Invalid('report' + '.verification.runs[{v100}].args[{v20}]'.format(**locals()) + ' must be shorter than or equal to 200 characters')
        if 'exit_code' in v33:
         v33.remove('exit_code')
         v13 = v66['exit_code']
         if not isinstance(v13, int) and (not (isinstance(v13, float) and v13.is_integer())) or isinstance(v13, bool):
          raise Invalid('report' + '.verification.runs[{v100}].exit_code'.format(**locals()) + ' must be integer')
         if isinstance(v13, (int, float, float)):
          if v13 < -1:
           raise Invalid('report' + '.verification.runs[{v100}].exit_code'.format(**locals()) + ' must be bigger than or equal to -1')
          if v13 > 255:
           raise Invalid('report' + '.verification.runs[{v100}].exit_code'.format(**locals()) + ' must be smaller than or equal to 255')
        if 'duration_ms' in v33:
         v33.remove('duration_ms')
         v8 = v66['duration_ms']
         if not isinstance(v8, int) and (not (isinstance(v8, float) and v8.is_integer())) or isinstance(v8, bool):
          raise Invalid('report' + '.verification.runs[{v100}].duration_ms'.format(**locals()) + ' must be integer')
         if isinstance(v8, (int, float, float)):
          if v8 < 0:
           raise Invalid('report' + '.verification.runs[{v100}].duration_ms'.format(**locals()) + ' must be bigger than or equal to 0')
        if 'timed_out' in v33:
         v33.remove('timed_out')
         v14 = v66['timed_out']
         if not isinstance(v14, bool):
          raise Invalid('report' + '.verification.runs[{v100}].timed_out'.format(**locals()) + ' must be boolean')
        if 'output_tail' in v33:
         v33.remove('output_tail')
         v9 = v66['output_tail']
         if not isinstance(v9, str):
          raise Invalid('report' + '.verification.runs[{v100}].output_tail'.format(**locals()) + ' must be string')
         if isinstance(v9, str):
          v0 = len(v9)
          if v0 > 4000:
           raise Invalid('report' + '.verification.runs[{v100}].output_tail'.format(**locals()) + ' must be shorter than or equal to 4000 characters')
        if v33:
         raise Invalid('report' + '.verification.runs[{v100}]'.format(**locals()) + ' must not contain ' + str(v33) + ' properties')
    if 'verify_log_path' in v136:
     v136.remove('verify_log_path')
     v36 = v193['verify_log_path']
     if not isinstance(v36, str):
      raise Invalid('report.verification.verify_log_path must be string')
     if isinstance(v36, str):
      v22 = len(v36)
      if v22 < 1:
       raise Invalid('report.verification.verify_log_path must be longer than or equal to 1 characters')
      if v22 > 300:
       raise Invalid('report.verification.verify_log_path must be shorter than or equal to 300 characters')
    if v136:
     raise Invalid('report.verification must not contain ' + str(v136) + ' properties')
  if 'budgets' in v241:
   v241.remove('budgets')
   v222 = data['budgets']
   if not isinstance(v222, dict):
    raise Invalid('report.budgets must be object')
   v147 = isinstance(v222, dict)
   if v147:
    v79 = set(['milestone_id', 'ticks', 'orchestrator_calls', 'builder_calls', 'verify_runs', 'estimated_cost_usd', 'warnings']) - v222.keys()
    if v79:
     raise Invalid('report.budgets must contain ' + (str(sorted(v79)) + ' properties'))
    v183 = set(v222.keys())
    if 'milestone_id' in v183:
     v183.remove('milestone_id')
     v90 = v222['milestone_id']
     if not isinstance(v90, str):
      raise Invalid('report.budgets.milestone_id must be string')
    if 'ticks' in v183:
     v183.remove('ticks')
     v160 = v222['ticks']
     if not isinstance(v160, int) and (not (isinstance(v160, float) and v160.is_integer())) or isinstance(v160, bool):
      raise Invalid('report.budgets.ticks must be integer')
     if isinstance(v160, (int, float, float)):
      if v160 < 0:
       raise Invalid('report.budgets.ticks must be bigger than or equal to 0')
    if 'orchestrator_calls' in v183:
     v183.remove('orchestrator_calls')
     v38 = v222['orchestrator_calls']
     if not isinstance(v38, int) and (not (isinstance(v38, float) and v38.is_integer())) or isinstance(v38, bool):
      raise Invalid('report.budgets.orchestrator_calls must be integer')
     if isinstance(v38, (int, float, float)):
      if v38 < 0:
       raise Invalid('report.budgets.orchestrator_calls must be bigger than or equal to 0')
    if 'builder_calls' in v183:
     v183.remove('builder_calls')
     v78 = v222['builder_calls']
     if not isinstance(v78, int) and (not (isinstance(v78, float) and v78.is_integer())) or isinstance(v78, bool):
      raise Invalid('report.budgets.builder_calls must be integer')
     if isinstance(v78, (int, float, float)):
      if v78 < 0:
       raise Invalid('report.budgets.builder_calls must be bigger than or equal to 0')
    if 'verify_runs' in v183:
     v183.remove('verify_runs')
     v104 = v222['verify_runs']
     if not isinstance(v104, int) and (not (isinstance(v104, float) and v104.is_integer())) or isinstance(v104, bool):
      raise Invalid('report.budgets.verify_runs must be integer')
     if isinstance(v104, (int, float, float)):
      if v104 < 0:
       raise Invalid('report.budgets.verify_runs must be bigger than or equal to 0')
    if 'estimated_cost_usd' in v183:
     v183.remove('estimated_cost_usd')
     v49 = v222['estimated_cost_usd']
     if not isinstance(v49, (int, float, float)) or isinstance(v49, bool):
      raise Invalid('report.budgets.estimated_cost_usd must be number')
     if isinstance(v49, (int, float, float)):
      if v49 < 0:
       raise Invalid('report.budgets.estimated_cost_usd must be bigger than or equal to 0')
    if 'warnings' in v183:
     v183.remove('warnings')
     v131 = v222['warnings']
     if not isinstance(v131, (list, tuple)):
      raise Invalid('report.budgets.warnings must be array')
     v50 = isinstance(v131, (list, tuple))
     if v50:
      v80 = len(v131)
      if v80 > 20:
       raise Invalid('report.budgets.warnings must contain less than or equal to 20 items')
      for v105, v68 in enumerate(v131):
       if not isinstance(v68, str):
        raise Invalid('report' + '.budgets.warnings[{v105}]'.format(**locals()) + ' must be string')
       if isinstance(v68, str):
        v39 = len(v68)
        if v39 < 1:
         raise Invalid('report' + '.budgets.warnings[{v105}]'.format(**locals()) + ' must be longer than or equal to 1 characters')
        if v39 > 200:
         raise Invalid('report' + '.budgets.warnings[{v105}]'.format(**locals()) + ' must be shorter than or equal to 200 characters')
    if v183:
     raise Invalid('report.budgets must not contain ' + str(v183) + ' properties')
  if 'ledger' in v241:
   v241.remove('ledger')
   v230 = data['ledger']
   if not isinstance(v230, dict):
    raise Invalid('report.ledger must be object')
   v167 = isinstance(v230, dict)
   if v167:
    v95 = set(['milestone_id', 'ticks', 'orchestrator_calls', 'builder_calls', 'verify_runs', 'estimated_cost_usd']) - v230.keys()
    if v95:
     raise Invalid('report.ledger must contain ' + (str(sorted(v95)) + ' properties'))
    v199 = set(v230.keys())
    if 'milestone_id' in v199:
     v199.remove('milestone_id')
     v111 = v230['milestone_id']
     if not isinstance(v111, str):
      raise Invalid('report.ledger.milestone_id must be string')
    if 'ticks' in v199:
     v199.remove('ticks')
     v175 = v230['ticks']
     if not isinstance(v175, int) and (not (isinstance(v175, float) and v175.is_integer())) or isinstance(v175, bool):
      raise Invalid('report.ledger.ticks must be integer')
     if isinstance(v175, (int, float, float)):
      if v175 < 0:
       raise Invalid('report.ledger.ticks must be bigger than or equal to 0')
    if 'orchestrator_calls' in v199:
     v199.remove('orchestrator_calls')
     v51 = v230['orchestrator_calls']
     if not isinstance(v51, int) and (not (isinstance(v51, float) and v51.is_integer())) or isinstance(v51, bool):
      raise Invalid('report.ledger.orchestrator_calls must be integer')
     if isinstance(v51, (int, float, float)):
      if v51 < 0:
       raise Invalid('report.ledger.orchestrator_calls must be bigger than or equal to 0')
    if 'builder_calls' in v199:
     v199.remove('builder_calls')
     v94 = v230['builder_calls']
     if not isinstance(v94, int) and (not (isinstance(v94, float) and v94.is_integer())) or isinstance(v94, bool):
      raise Invalid('report.ledger.builder_calls must be integer')
     if isinstance(v94, (int, float, float)):
      if v94 < 0:
       raise Invalid('report.ledger.builder_calls must be bigger than or equal to 0')
    if 'verify_runs' in v199:
     v199.remove('verify_runs')
     v125 = v230['verify_runs']
     if not isinstance(v125, int) and (not (isinstance(v125, float) and v125.is_integer())) or isinstance(v125, bool):
      raise Invalid('report.ledger.verify_runs must be integer')
     if isinstance(v125, (int, float, float)):
      if v125 < 0:
       raise Invalid('report.ledger.verify_runs must be bigger than or equal to 0')
    if 'estimated_cost_usd' in v199:
     v199.remove('estimated_cost_usd')
     v57 = v230['estimated_cost_usd']
     if not isinstance(v57, (int, float, float)) or isinstance(v57, bool):
      raise Invalid('report.ledger.estimated_cost_usd must be number')
     if isinstance(v57, (int, float, float)):
      if v57 < 0:
       raise Invalid('report.ledger.estimated_cost_usd must be bigger than or equal to 0')
    if v199:
     raise Invalid('report.ledger must not contain ' + str(v199) + ' properties')
  if 'pointers' in v241:
   v241.remove('pointers')
   v219 = data['pointers']
   if not isinstance(v219, dict):
    raise Invalid('report.pointers must be object')
   v140 = isinstance(v219, dict)
   if v140:
    v69 = set([]) - v219.keys()
    if v69:
     raise Invalid('report.pointers must contain ' + (str(sorted(v69)) + ' properties'))
    v176 = set(v219.keys())
    if 'report_md_path' in v176:
     v176.remove('report_md_path')
     v70 = v219['report_md_path']
     if not isinstance(v70, str):
      raise Invalid('report.pointers.report_md_path must be string')
    if 'history_dir' in v176:
     v176.remove('history_dir')
     v96 = v219['history_dir']
     if not isinstance(v96, str):
      raise Invalid('report.pointers.history_dir must be string')
    if v176:
     raise Invalid('report.pointers must not contain ' + str(v176) + ' properties')
  if 'builder' in v241:
   v241.remove('builder')
   v223 = data['builder']
   if not isinstance(v223, dict):
    raise Invalid('report.builder must be object')
   v149 = isinstance(v223, dict)
   if v149:
    v81 = set(['mode', 'output_valid']) - v223.keys()
    if v81:
     raise Invalid('report.builder must contain ' + (str(sorted(v81)) + ' properties'))
    v184 = set(v223.keys())
    if 'mode' in v184:
     v184.remove('mode')
     v172 = v223['mode']
     if not isinstance(v172, str):
      raise Invalid('report.builder.mode must be string')
     if v172 not in ['claude_code', 'patch', 'cursor']:
      raise Invalid("report.builder.mode must be one of ['claude_code', 'patch', 'cursor']")
    if 'output_valid' in v184:
     v184.remove('output_valid')
     v91 = v223['output_valid']
     if not isinstance(v91, bool):
      raise Invalid('report.builder.output_valid must be boolean')
    if 'status' in v184:
     v184.remove('status')
     v148 = v223['status']
     if not isinstance(v148, str):
      raise Invalid('report.builder.status must be string')
     if v148 not in ['done', 'refused']:
      raise Invalid("report.builder.status must be one of ['done', 'refused']")
    if v184:
     raise Invalid('report.builder must not contain ' + str(v184) + ' properties')
  if 'commit' in v241:
   v241.remove('commit')
   v228 = data['commit']
   if not isinstance(v228, dict):
    raise Invalid('report.commit must be object')
   v163 = isinstance(v228, dict)
   if v163:
    v93 = set(['id', 'branch', 'subject']) - v228.keys()
    if v93:
     raise Invalid('report.commit must contain ' + (str(sorted(v93)) + ' properties'))
    v195 = set(v228.keys())
    if 'id' in v195:
     v195.remove('id')
     v206 = v228['id']
     if not isinstance(v206, str):
      raise Invalid('report.commit.id must be string')
     if isinstance(v206, str):
      v162 = len(v206)
      if v162 < 7:
       raise Invalid('report.commit.id must be longer than or equal to 7 characters')
      if v162 > 64:
       raise Invalid('report.commit.id must be shorter than or equal to 64 characters')
    if 'branch' in v195:
     v195.remove('branch')
     v161 = v228['branch']
     if not isinstance(v161, str):
      raise Invalid('report.commit.branch must be string')
     if isinstance(v161, str):
      v120 = len(v161)
      if v120 < 1:
       raise Invalid('report.commit.branch must be longer than or equal to 1 characters')
    if 'subject' in v195:
     v195.remove('subject')
     v151 = v228['subject']
     if not isinstance(v151, str):
      raise Invalid('report.commit.subject must be string')
     if isinstance(v151, str):
      v107 = len(v151)
      if v107 < 1:
       raise Invalid('report.commit.subject must be longer than or equal to 1 characters')
      if v107 > 200:
       raise Invalid('report.commit.subject must be shorter than or equal to 200 characters')
    if v195:
     raise Invalid('report.commit must not contain ' + str(v195) + ' properties')
  if 'rollback' in v241:
   v241.remove('rollback')
   v221 = data['rollback']
   if not isinstance(v221, dict):
    raise Invalid('report.rollback must be object')
   v144 = isinstance(v221, dict)
   if v144:
    v73 = set(['ok']) - v221.keys()
    if v73:
     raise Invalid('report.rollback must contain ' + (str(sorted(v73)) + ' properties'))
    v178 = set(v221.keys())
    if 'ok' in v178:
     v178.remove('ok')
     v188 = v221['ok']
     if not isinstance(v188, bool):
      raise Invalid('report.rollback.ok must be boolean')
    if 'rescue_ref' in v178:
     v178.remove('rescue_ref')
     v114 = v221['rescue_ref']
     if not isinstance(v114, str):
      raise Invalid('report.rollback.rescue_ref must be string')
     if isinstance(v114, str):
      v64 = len(v114)
      if v64 < 1:
       raise Invalid('report.rollback.rescue_ref must be longer than or equal to 1 characters')
    if v178:
     raise Invalid('report.rollback must not contain ' + str(v178) + ' properties')
  if 'control' in v241:
   v241.remove('control')
   v224 = data['control']
   if not isinstance(v224, dict):
    raise Invalid('report.control must be object')
   v154 = isinstance(v224, dict)
   if v154:
    v82 = set(['action']) - v224.keys()
    if v82:
     raise Invalid('report.control must contain ' + (str(sorted(v82)) + ' properties'))
    v185 = set(v224.keys())
    if 'action' in v185:
     v185.remove('action')
     v152 = v224['action']
     if not isinstance(v152, str):
      raise Invalid('report.control.action must be string')
     if v152 not in ['continue', 'stop']:
      raise Invalid("report.control.action must be one of ['continue', 'stop']")
    if 'reason' in v185:
     v185.remove('reason')
     v153 = v224['reason']
     if not isinstance(v153, str):
      raise Invalid('report.control.reason must be string')
     if isinstance(v153, str):
      v108 = len(v153)
      if v108 > 400:
       raise Invalid('report.control.reason must be shorter than or equal to 400 characters')
    if v185:
     raise Invalid('report.control must not contain ' + str(v185) + ' properties')
  if 'question' in v241:
   v241.remove('question')
   v220 = data['question']
   if not isinstance(v220, dict):
    raise Invalid('report.question must be object')
   v142 = isinstance(v220, dict)
   if v142:
    v72 = set(['prompt']) - v220.keys()
    if v72:
     raise Invalid('report.question must contain ' + (str(sorted(v72)) + ' properties'))
    v177 = set(v220.keys())
    if 'prompt' in v177:
     v177.remove('prompt')
     v141 = v220['prompt']
     if not isinstance(v141, str):
      raise Invalid('report.question.prompt must be string')
     if isinstance(v141, str):
      v97 = len(v141)
      if v97 < 1:
       raise Invalid('report.question.prompt must be longer than or equal to 1 characters')
      if v97 > 2000:
       raise Invalid('report.question.prompt must be shorter than or equal to 2000 characters')
    if 'choices' in v177:
     v177.remove('choices')
     v133 = v220['choices']
     if not isinstance(v133, (list, tuple)):
      raise Invalid('report.question.choices must be array')
     v52 = isinstance(v133, (list, tuple))
     if v52:
      v83 = len(v133)
      if v83 > 12:
       raise Invalid('report.question.choices must contain less than or equal to 12 items')
      for v112, v71 in enumerate(v133):
       if not isinstance(v71, str):
        raise Invalid('report' + '.question.choices[{v112}]'.format(**locals()) + ' must be string')
       if isinstance(v71, str):
        v40 = len(v71)
        if v40 < 1:
         raise Invalid('report' + '.question.choices[{v112}]'.format(**locals()) + ' must be longer than or equal to 1 characters')
        if v40 > 200:
         raise Invalid('report' + '.question.choices[{v112}]'.format(**locals()) + ' must be shorter than or equal to 200 characters')
    if v177:
     raise Invalid('report.question must not contain ' + str(v177) + ' properties')
  if 'review' in v241:
   v241.remove('review')
   v231 = data['review']
   if not isinstance(v231, dict):
    raise Invalid('report.review must be object')
   v168 = isinstance(v231, dict)
   if v168:
    v99 = set(['summary', 'criteria']) - v231.keys()
    if v99:
     raise Invalid('report.review must contain ' + (str(sorted(v99)) + ' properties'))
    v200 = set(v231.keys())
    if 'summary' in v200:
     v200.remove('summary')
     v157 = v231['summary']
     if not isinstance(v157, str):
      raise Invalid('report.review.summary must be string')
     if isinstance(v157, str):
      v113 = len(v157)
      if v113 < 1:
       raise Invalid('report.review.summary must be longer than or equal to 1 characters')
      if v113 > 800:
       raise Invalid('report.review.summary must be shorter than or equal to 800 characters')
    if 'criteria' in v200:
     v200.remove('criteria')
     v143 = v231['criteria']
     if not isinstance(v143, (list, tuple)):
      raise Invalid('report.review.criteria must be array')
     v58 = isinstance(v143, (list, tuple))
     if v58:
      v98 = len(v143)
      if v98 < 1:
       raise Invalid('report.review.criteria must contain at least 1 items')
      if v98 > 50:
       raise Invalid('report.review.criteria must contain less than or equal to 50 items')
      for v126, v84 in enumerate(v143):
       if not isinstance(v84, dict):
        raise Invalid('report' + '.review.criteria[{v126}]'.format(**locals()) + ' must be object')
       v28 = isinstance(v84, dict)
       if v28:
        v7 = set(['criterion', 'verdict', 'evidence']) - v84.keys()
        if v7:
         raise Invalid('report' + '.review.criteria[{v126}]'.format(**locals()) + ' must contain ' + (str(sorted(v7)) + ' properties'))
        v41 = set(v84.keys())
        if 'criterion' in v41:
         v41.remove('criterion')
         v16 = v84['criterion']
         if not isinstance(v16, str):
          raise Invalid('report' + '.review.criteria[{v126}].criterion'.format(**locals()) + ' must be string')
         if isinstance(v16, str):
          v5 = len(v16)
          if v5 < 1:
           raise Invalid('report' + '.review.criteria[{v126}].criterion'.format(**locals()) + ' must be longer than or equal to 1 characters')
          if v5 > 400:
           raise Invalid('report' + '.review.criteria[{v126}].criterion'.format(**locals()) + ' must be shorter than or equal to 400 characters')
        if 'verdict' in v41:
         v41.remove('verdict')
         v24 = v84['verdict']
         if not isinstance(v24, str):
          raise Invalid('report' + '.review.criteria[{v126}].verdict'.format(**locals()) + ' must be string')
         if v24 not in ['pass', 'fail', 'needs_human']:
          raise Invalid('report' + '.review.criteria[{v126}].verdict'.format(**locals()) + " must be one of ['pass', 'fail', 'needs_human']")
        if 'evidence' in v41:
         v41.remove('evidence')
         v19 = v84['evidence']
         if not isinstance(v19, str):
          raise Invalid('report' + '.review.criteria[{v126}].evidence'.format(**locals()) + ' must be string')
         if isinstance(v19, str):
          v6 = len(v19)
          if v6 < 1:
           raise Invalid('report' + '.review.criteria[{v126}].evidence'.format(**locals()) + ' must be longer than or equal to 1 characters')
          if v6 > 800:
           raise Invalid('report' + '.review.criteria[{v126}].evidence'.format(**locals()) + ' must be shorter than or equal to 800 characters')
        if v41:
         raise Invalid('report' + '.review.criteria[{v126}]'.format(**locals()) + ' must not contain ' + str(v41) + ' properties')
    if v200:
     raise Invalid('report.review must not contain ' + str(v200) + ' properties')
  if 'byproducts' in v241:
   v241.remove('byproducts')
   v205 = data['byproducts']
   if not isinstance(v205, dict):
    raise Invalid('report.byproducts must be object')
   v119 = isinstance(v205, dict)
   if v119:
    v56 = set(['set_aside', 'brought_back', 'seconds']) - v205.keys()
    if v56:
     raise Invalid('report.byproducts must contain ' + (str(sorted(v56)) + ' properties'))
    v150 = set(v205.keys())
    if 'set_aside' in v150:
     v150.remove('set_aside')
     v92 = v205['set_aside']
     if not isinstance(v92, int) and (not (isinstance(v92, float) and v92.is_integer())) or isinstance(v92, bool):
      raise Invalid('report.byproducts.set_aside must be integer')
     if isinstance(v92, (int, float, float)):
      if v92 < 0:
       raise Invalid('report.byproducts.set_aside must be bigger than or equal to 0')
    if 'brought_back' in v150:
     v150.remove('brought_back')
     v62 = v205['brought_back']
     if not isinstance(v62, int) and (not (isinstance(v62, float) and v62.is_integer())) or isinstance(v62, bool):
      raise Invalid('report.byproducts.brought_back must be integer')
     if isinstance(v62, (int, float, float)):
      if v62 < 0:
       raise Invalid('report.byproducts.brought_back must be bigger than or equal to 0')
    if 'seconds' in v150:
     v150.remove('seconds')
     v106 = v205['seconds']
     if not isinstance(v106, (int, float, float)) or isinstance(v106, bool):
      raise Invalid('report.byproducts.seconds must be number')
     if isinstance(v106, (int, float, float)):
      if v106 < 0:
       raise Invalid('report.byproducts.seconds must be bigger than or equal to 0')
    if v150:
     raise Invalid('report.byproducts must not contain ' + str(v150) + ' properties')
  if 'stages' in v241:
   v241.remove('stages')
   v232 = data['stages']
   if not isinstance(v232, dict):
    raise Invalid('report.stages must be object')
   v169 = isinstance(v232, dict)
   if v169:
    v202 = set(v232.keys())
    for v212 in v202:
     if v212 not in []:
      v189 = v232.get(v212)
      if not isinstance(v189, int) and (not (isinstance(v189, float) and v189.is_integer())) or isinstance(v189, bool):
       raise Invalid('report' + '.stages.{v212}'.format(**locals()) + ' must be integer')
      if isinstance(v189, (int, float, float)):
       if v189 < 0:
        raise Invalid('report' + '.stages.{v212}'.format(**locals()) + ' must be bigger than or equal to 0')
  if 'agent' in v241:
   v241.remove('agent')
   v234 = data['agent']
   if not isinstance(v234, dict):
    raise Invalid('report.agent must be object')
   v171 = isinstance(v234, dict)
   if v171:
    v102 = set(['usage']) - v234.keys()
    if v102:
     raise Invalid('report.agent must contain ' + (str(sorted(v102)) + ' properties'))
    v203 = set(v234.keys())
    if 'usage' in v203:
     v203.remove('usage')
     v182 = v234['usage']
     if not isinstance(v182, dict):
      raise Invalid('report.agent.usage must be object')
     v89 = isinstance(v182, dict)
     if v89:
      v130 = set(v182.keys())
      for v138 in v130:
       if v138 not in []:
        v118 = v182.get(v138)
        if not isinstance(v118, int) and (not (isinstance(v118, float) and v118.is_integer())) or isinstance(v118, bool):
         raise Invalid('report' + '.agent.usage.{v138}'.format(**locals()) + ' must be integer')
    if 'calls' in v203:
     v203.remove('calls')
     v181 = v234['calls']
     if not isinstance(v181, (list, tuple)):
      raise Invalid('report.agent.calls must be array')
     v88 = isinstance(v181, (list, tuple))
     if v88:
      v137 = len(v181)
      if v137 > 20:
       raise Invalid('report.agent.calls must contain less than or equal to 20 items')
      for v158, v129 in enumerate(v181):
       if not isinstance(v129, dict):
        raise Invalid('report' + '.agent.calls[{v158}]'.format(**locals()) + ' must be object')
       v45 = isinstance(v129, dict)
       if v45:
        v18 = set(['role', 'duration_ms']) - v129.keys()
        if v18:
         raise Invalid('report' + '.agent.calls[{v158}]'.format(**locals()) + ' must contain ' + (str(sorted(v18)) + ' properties'))
        v67 = set(v129.keys())
        if 'role' in v67:
         v67.remove('role')
         v60 = v129['role']
         if not isinstance(v60, str):
          raise Invalid('report' + '.agent.calls[{v158}].role'.format(**locals()) + ' must be string')
         if isinstance(v60, str):
          v34 = len(v60)
          if v34 < 1:
           raise Invalid('report' + '.agent.calls[{v158}].role'.format(**locals()) + ' must be longer than or equal to 1 characters')
          if v34 > 40:
           raise Invalid('report' + '.agent.calls[{v158}].role'.format(**locals()) + ' must be shorter than or equal to 40 characters')
        if 'duration_ms' in v67:
         v67.remove('duration_ms')
         v26 = v129['duration_ms']
         if not isinstance(v26, int) and (not (isinstance(v26, float) and v26.is_integer())) or isinstance(v26, bool):
          raise Invalid('report' + '.agent.calls[{v158}].duration_ms'.format(**locals()) + ' must be integer')
         if isinstance(v26, (int, float, float)):
          if v26 < 0:
           raise Invalid('report' + '.agent.calls[{v158}].duration_ms'.format(**locals()) + ' must be bigger than or equal to 0')
        if 'cost_usd' in v67:
         v67.remove('cost_usd')
         v37 = v129['cost_usd']
         if not isinstance(v37, (int, float, float)) or isinstance(v37, bool):
          raise Invalid('report' + '.agent.calls[{v158}].cost_usd'.format(**locals()) + ' must be number')
         if isinstance(v37, (int, float, float)):
          if v37 < 0:
           raise Invalid('report' + '.agent.calls[{v158}].cost_usd'.format(**locals()) + ' must be bigger than or equal to 0')
        if 'turns' in v67:
         v67.remove('turns')
         v54 = v129['turns']
         if not isinstance(v54, int) and (not (isinstance(v54, float) and v54.is_integer())) or isinstance(v54, bool):
          raise Invalid('report' + '.agent.calls[{v158}].turns'.format(**locals()) + ' must be integer')
         if isinstance(v54, (int, float, float)):
          if v54 < 0:
           raise Invalid('report' + '.agent.calls[{v158}].turns'.format(**locals()) + ' must be bigger than or equal to 0')
        if 'usage' in v67:
         v67.remove('usage')
         v55 = v129['usage']
         if not isinstance(v55, dict):
          raise Invalid('report' + '.agent.calls[{v158}].usage'.format(**locals()) + ' must be object')
         v15 = isinstance(v55, dict)
         if v15:
          v27 = set(v55.keys())
          for v30 in v27:
           if v30 not in []:
            v23 = v55.get(v30)
            if not isinstance(v23, int) and (not (isinstance(v23, float) and v23.is_integer())) or isinstance(v23, bool):
             raise Invalid('report' + '.agent.calls[{v158}].usage.{v30}'.format(**locals()) + ' must be integer')
        if v67:
         raise Invalid('report' + '.agent.calls[{v158}]'.format(**locals()) + ' must not contain ' + str(v67) + ' properties')
    if v203:
     raise Invalid('report.agent must not contain ' + str(v203) + ' properties')
  if 'sandbox' in v241:
   v241.remove('sandbox')
   v226 = data['sandbox']
   if not isinstance(v226, str):
    raise Invalid('report.sandbox must be string')
   if isinstance(v226, str):
    v201 = len(v226)
    if v201 < 1:
     raise Invalid('report.sandbox must be longer than or equal to 1 characters')
  if 'denied' in v241:
   v241.remove('denied')
   v229 = data['denied']
   if not isinstance(v229, (list, tuple)):
    raise Invalid('report.denied must be array')
   v164 = isinstance(v229, (list, tuple))
   if v164:
    v207 = len(v229)
    if v207 > 20:
     raise Invalid('report.denied must contain less than or equal to 20 items')
    for v218, v196 in enumerate(v229):
     if not isinstance(v196, str):
      raise Invalid('report' + '.denied[{v218}]'.format(**locals()) + ' must be string')
     if isinstance(v196, str):
      v155 = len(v196)
      if v155 < 1:
       raise Invalid('report' + '.denied[{v218}]'.format(**locals()) + ' must be longer than or equal to 1 characters')
      if v155 > 400:
       raise Invalid('report' + '.denied[{v218}]'.format(**locals()) + ' must be shorter than or equal to 400 characters')
  if 'error' in v241:
   v241.remove('error')
   v235 = data['error']
   if not isinstance(v235, dict):
    raise Invalid('report.error must be object')
   v174 = isinstance(v235, dict)
   if v174:
    v110 = set(['kind', 'detail']) - v235.keys()
    if v110:
     raise Invalid('report.error must contain ' + (str(sorted(v110)) + ' properties'))
    v209 = set(v235.keys())
    if 'kind' in v209:
     v209.remove('kind')
     v198 = v235['kind']
     if not isinstance(v198, str):
      raise Invalid('report.error.kind must be string')
     if isinstance(v198, str):
      v156 = len(v198)
      if v156 < 1:
       raise Invalid('report.error.kind must be longer than or equal to 1 characters')
      if v156 > 80:
       raise Invalid('report.error.kind must be shorter than or equal to 80 characters')
    if 'detail' in v209:
     v209.remove('detail')
     v173 = v235['detail']
     if not isinstance(v173, str):
      raise Invalid('report.error.detail must be string')
     if isinstance(v173, str):
      v132 = len(v173)
      if v132 > 2000:
       raise Invalid('report.error.detail must be shorter than or equal to 2000 characters')
    if 'retry_at' in v209:
     v209.remove('retry_at')
     v165 = v235['retry_at']
     if not isinstance(v165, str):
      raise Invalid('report.error.retry_at must be string')
     if isinstance(v165, str):
      v124 = len(v165)
      if v124 < 1:
       raise Invalid('report.error.retry_at must be longer than or equal to 1 characters')
      if not REGEX_PATTERNS['^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?(Z|[+-]\\d{2}:\\d{2})$'].search(v165):
       raise Invalid('report.error.retry_at must match pattern ^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?(Z|[+-]\\d{2}:\\d{2})$')
    if v209:
     raise Invalid('report.error must not contain ' + str(v209) + ' properties')
  if v241:
   raise Invalid('report must not contain ' + str(v241) + ' properties')
 return data

def validate(document):
 return validate_https___relais_local_schemas_report_schema_json(document)
