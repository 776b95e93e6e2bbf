"""Generated from report.schema.json by `make validators` with fastjsonschema; never edited."""

import re

from relais.text.documents import Invalid

REGEX_PATTERNS = {'^SUCCESS': re.compile('^SUCCESS'), '^STOP': re.compile('^STOP'), '^BLOCKED': re.compile('^BLOCKED'), '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?(Z|[+-]\\d{2}:\\d{2})$': re.compile('^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?(Z|[+-]\\d{2}:\\d{2})\\Z')}
NoneType = type(None)

def validate_https___relais_local_schemas_report_schema_json(data, custom_formats={}, name_prefix=None):
 if not isinstance(data, dict):
  raise Invalid('report must be object')
 try:
  v220 = isinstance(data, dict)
  if v220:
   v179 = set(['code']) - data.keys()
   if v179:
    raise Invalid('report must contain ' + (str(sorted(v179)) + ' properties'))
   v228 = set(data.keys())
   if 'code' in v228:
    v228.remove('code')
    v225 = data['code']
    if isinstance(v225, str):
     if not REGEX_PATTERNS['^SUCCESS'].search(v225):
      raise Invalid('report.code must match pattern ^SUCCESS')
 except Invalid:
  pass
 else:
  v220 = isinstance(data, dict)
  if v220:
   v228 = set(data.keys())
   if 'verdict' in v228:
    v228.remove('verdict')
    v215 = data['verdict']
    if v215 != 'success':
     raise Invalid('report.verdict must be same as const definition: success')
 try:
  v220 = isinstance(data, dict)
  if v220:
   v179 = set(['code']) - data.keys()
   if v179:
    raise Invalid('report must contain ' + (str(sorted(v179)) + ' properties'))
   v228 = set(data.keys())
   if 'code' in v228:
    v228.remove('code')
    v225 = data['code']
    if isinstance(v225, str):
     if not REGEX_PATTERNS['^STOP'].search(v225):
      raise Invalid('report.code must match pattern ^STOP')
 except Invalid:
  pass
 else:
  v220 = isinstance(data, dict)
  if v220:
   v228 = set(data.keys())
   if 'verdict' in v228:
    v228.remove('verdict')
    v215 = data['verdict']
    if v215 != 'stop':
     raise Invalid('report.verdict must be same as const definition: stop')
 try:
  v220 = isinstance(data, dict)
  if v220:
   v179 = set(['code']) - data.keys()
   if v179:
    raise Invalid('report must contain ' + (str(sorted(v179)) + ' properties'))
   v228 = set(data.keys())
   if 'code' in v228:
    v228.remove('code')
    v225 = data['code']
    if isinstance(v225, str):
     if not REGEX_PATTERNS['^BLOCKED'].search(v225):
      raise Invalid('report.code must match pattern ^BLOCKED')
 except Invalid:
  pass
 else:
  v220 = isinstance(data, dict)
  if v220:
   v228 = set(data.keys())
   if 'verdict' in v228:
    v228.remove('verdict')
    v215 = data['verdict']
    if v215 != 'blocked':
     raise Invalid('report.verdict must be same as const definition: blocked')
 v220 = isinstance(data, dict)
 if v220:
  v179 = set(['run_id', 'started_at', 'ended_at', 'duration_ms', 'base_commit', 'head_commit', 'task', 'verdict', 'code', 'blast_radius', 'scope', 'diff', 'verification', 'budgets']) - data.keys()
  if v179:
   raise Invalid('report must contain ' + (str(sorted(v179)) + ' properties'))
  v228 = set(data.keys())
  if 'run_id' in v228:
   v228.remove('run_id')
   v223 = data['run_id']
   if not isinstance(v223, str):
    raise Invalid('report.run_id must be string')
   if isinstance(v223, str):
    v203 = len(v223)
    if v203 < 8:
     raise Invalid('report.run_id must be longer than or equal to 8 characters')
    if v203 > 80:
     raise Invalid('report.run_id must be shorter than or equal to 80 characters')
  if 'started_at' in v228:
   v228.remove('started_at')
   v205 = data['started_at']
   if not isinstance(v205, str):
    raise Invalid('report.started_at must be string')
   if isinstance(v205, str):
    v172 = len(v205)
    if v172 < 1:
     raise Invalid('report.started_at must be longer than or equal to 1 characters')
    if not REGEX_PATTERNS['^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?(Z|[+-]\\d{2}:\\d{2})$'].search(v205):
     raise Invalid('report.started_at must match pattern ^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?(Z|[+-]\\d{2}:\\d{2})$')
  if 'ended_at' in v228:
   v228.remove('ended_at')
   v213 = data['ended_at']
   if not isinstance(v213, str):
    raise Invalid('report.ended_at must be string')
   if isinstance(v213, str):
    v188 = len(v213)
    if v188 < 1:
     raise Invalid('report.ended_at must be longer than or equal to 1 characters')
    if not REGEX_PATTERNS['^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?(Z|[+-]\\d{2}:\\d{2})$'].search(v213):
     raise Invalid('report.ended_at must match pattern ^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?(Z|[+-]\\d{2}:\\d{2})$')
  if 'duration_ms' in v228:
   v228.remove('duration_ms')
   v197 = data['duration_ms']
   if not isinstance(v197, int) and (not (isinstance(v197, float) and v197.is_integer())) or isinstance(v197, bool):
    raise Invalid('report.duration_ms must be integer')
   if isinstance(v197, (int, float, float)):
    if v197 < 0:
     raise Invalid('report.duration_ms must be bigger than or equal to 0')
  if 'base_commit' in v228:
   v228.remove('base_commit')
   v195 = data['base_commit']
   if not isinstance(v195, str):
    raise Invalid('report.base_commit must be string')
   if isinstance(v195, str):
    v152 = len(v195)
    if v152 < 7:
     raise Invalid('report.base_commit must be longer than or equal to 7 characters')
    if v152 > 64:
     raise Invalid('report.base_commit must be shorter than or equal to 64 characters')
  if 'head_commit' in v228:
   v228.remove('head_commit')
   v199 = data['head_commit']
   if not isinstance(v199, str):
    raise Invalid('report.head_commit must be string')
   if isinstance(v199, str):
    v158 = len(v199)
    if v158 < 7:
     raise Invalid('report.head_commit must be longer than or equal to 7 characters')
    if v158 > 64:
     raise Invalid('report.head_commit must be shorter than or equal to 64 characters')
  if 'task' in v228:
   v228.remove('task')
   v227 = data['task']
   if not isinstance(v227, dict):
    raise Invalid('report.task must be object')
   v184 = isinstance(v227, dict)
   if v184:
    v122 = set(['task_id', 'milestone_id', 'task_kind', 'intent']) - v227.keys()
    if v122:
     raise Invalid('report.task must contain ' + (str(sorted(v122)) + ' properties'))
    v206 = set(v227.keys())
    if 'task_id' in v206:
     v206.remove('task_id')
     v183 = v227['task_id']
     if not isinstance(v183, str):
      raise Invalid('report.task.task_id must be string')
     if isinstance(v183, str):
      v141 = len(v183)
      if v141 < 1:
       raise Invalid('report.task.task_id must be longer than or equal to 1 characters')
    if 'milestone_id' in v206:
     v206.remove('milestone_id')
     v130 = v227['milestone_id']
     if not isinstance(v130, str):
      raise Invalid('report.task.milestone_id must be string')
     if isinstance(v130, str):
      v85 = len(v130)
      if v85 < 1:
       raise Invalid('report.task.milestone_id must be longer than or equal to 1 characters')
    if 'task_kind' in v206:
     v206.remove('task_kind')
     v162 = v227['task_kind']
     if not isinstance(v162, str):
      raise Invalid('report.task.task_kind must be string')
     if v162 not in ['execute', 'verify_only', 'question']:
      raise Invalid("report.task.task_kind must be one of ['execute', 'verify_only', 'question']")
    if 'intent' in v206:
     v206.remove('intent')
     v182 = v227['intent']
     if not isinstance(v182, str):
      raise Invalid('report.task.intent must be string')
     if isinstance(v182, str):
      v140 = len(v182)
      if v140 < 1:
       raise Invalid('report.task.intent must be longer than or equal to 1 characters')
    if v206:
     raise Invalid('report.task must not contain ' + str(v206) + ' properties')
  if 'verdict' in v228:
   v228.remove('verdict')
   v215 = data['verdict']
   if not isinstance(v215, str):
    raise Invalid('report.verdict must be string')
   if v215 not in ['success', 'stop', 'blocked']:
    raise Invalid("report.verdict must be one of ['success', 'stop', 'blocked']")
  if 'code' in v228:
   v228.remove('code')
   v225 = data['code']
   if not isinstance(v225, str):
    raise Invalid('report.code must be string')
   if v225 not in ['SUCCESS', 'STOP_RUNNER_OWNED_MUTATION', 'STOP_SCOPE_VIOLATION_FORBIDDEN', 'STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED', 'STOP_SCOPE_VIOLATION_NEW_FILE', 'STOP_LOCKFILE_CHANGE_FORBIDDEN', 'STOP_DIFF_TOO_LARGE', 'STOP_QUESTION_SIDE_EFFECTS', 'STOP_VERIFY_ONLY_SIDE_EFFECTS', 'STOP_HEAD_MOVED', 'STOP_VERIFY_TAINTED', 'STOP_VERIFY_FAILED_FAST', 'STOP_VERIFY_FAILED_SLOW', 'STOP_BUILDER_OUTPUT_INVALID', 'STOP_BUILDER_REFUSED', 'STOP_BUILDER_TIMEOUT', 'STOP_PATCH_REJECTED', 'STOP_PATCH_APPLY_FAILED', 'STOP_SECRET_DETECTED', 'STOP_REVIEW_REJECTED', 'STOP_MILESTONE_CHANGED', 'STOP_IDENTICAL_TASK', 'STOP_INTERRUPTED', 'BLOCKED_MISSING_CONFIG', 'BLOCKED_LOCK_HELD', 'BLOCKED_CRASH_RECOVERY_REQUIRED', 'BLOCKED_DIRTY_WORKTREE', 'BLOCKED_HISTORY_CAP_CLEANUP_REQUIRED', 'BLOCKED_AGENT_UNAVAILABLE', 'BLOCKED_RATE_LIMITED', 'BLOCKED_QUESTION_PENDING', 'BLOCKED_STUCK', 'BLOCKED_BUDGET_CAP', 'BLOCKED_BUDGET_EXHAUSTED', 'BLOCKED_ORCHESTRATOR_OUTPUT_INVALID']:
    raise Invalid("report.code must be one of ['SUCCESS', 'STOP_RUNNER_OWNED_MUTATION', 'STOP_SCOPE_VIOLATION_FORBIDDEN', 'STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED', 'STOP_SCOPE_VIOLATION_NEW_FILE', 'STOP_LOCKFILE_CHANGE_FORBIDDEN', 'STOP_DIFF_TOO_LARGE', 'STOP_QUESTION_SIDE_EFFECTS', 'STOP_VERIFY_ONLY_SIDE_EFFECTS', 'STOP_HEAD_MOVED', 'STOP_VERIFY_TAINTED', 'STOP_VERIFY_FAILED_FAST', 'STOP_VERIFY_FAILED_SLOW', 'STOP_BUILDER_OUTPUT_INVALID', 'STOP_BUILDER_REFUSED', 'STOP_BUILDER_TIMEOUT', 'STOP_PATCH_REJECTED', 'STOP_PATCH_APPLY_FAILED', 'STOP_SECRET_DETECTED', 'STOP_REVIEW_REJECTED', 'STOP_MILESTONE_CHANGED', 'STOP_IDENTICAL_TASK', 'STOP_INTERRUPTED', 'BLOCKED_MISSING_CONFIG', 'BLOCKED_LOCK_HELD', 'BLOCKED_CRASH_RECOVERY_REQUIRED', 'BLOCKED_DIRTY_WORKTREE', 'BLOCKED_HISTORY_CAP_CLEANUP_REQUIRED', 'BLOCKED_AGENT_UNAVAILABLE', 'BLOCKED_RATE_LIMITED', 'BLOCKED_QUESTION_PENDING', 'BLOCKED_STUCK', 'BLOCKED_BUDGET_CAP', 'BLOCKED_BUDGET_EXHAUSTED', 'BLOCKED_ORCHESTRATOR_OUTPUT_INVALID']")
  if 'blast_radius' in v228:
   v228.remove('blast_radius')
   v186 = data['blast_radius']
   if not isinstance(v186, dict):
    raise Invalid('report.blast_radius must be object')
   v100 = isinstance(v186, dict)
   if v100:
    v48 = set(['files_touched', 'lines_added', 'lines_deleted', 'new_files']) - v186.keys()
    if v48:
     raise Invalid('report.blast_radius must contain ' + (str(sorted(v48)) + ' properties'))
    v134 = set(v186.keys())
    if 'files_touched' in v134:
     v134.remove('files_touched')
     v46 = v186['files_touched']
     if not isinstance(v46, int) and (not (isinstance(v46, float) and v46.is_integer())) or isinstance(v46, bool):
      raise Invalid('report.blast_radius.files_touched must be integer')
     if isinstance(v46, (int, float, float)):
      if v46 < 0:
       raise Invalid('report.blast_radius.files_touched must be bigger than or equal to 0')
    if 'lines_added' in v134:
     v134.remove('lines_added')
     v60 = v186['lines_added']
     if not isinstance(v60, int) and (not (isinstance(v60, float) and v60.is_integer())) or isinstance(v60, bool):
      raise Invalid('report.blast_radius.lines_added must be integer')
     if isinstance(v60, (int, float, float)):
      if v60 < 0:
       raise Invalid('report.blast_radius.lines_added must be bigger than or equal to 0')
    if 'lines_deleted' in v134:
     v134.remove('lines_deleted')
     v47 = v186['lines_deleted']
     if not isinstance(v47, int) and (not (isinstance(v47, float) and v47.is_integer())) or isinstance(v47, bool):
      raise Invalid('report.blast_radius.lines_deleted must be integer')
     if isinstance(v47, (int, float, float)):
      if v47 < 0:
       raise Invalid('report.blast_radius.lines_deleted must be bigger than or equal to 0')
    if 'new_files' in v134:
     v134.remove('new_files')
     v75 = v186['new_files']
     if not isinstance(v75, int) and (not (isinstance(v75, float) and v75.is_integer())) or isinstance(v75, bool):
      raise Invalid('report.blast_radius.new_files must be integer')
     if isinstance(v75, (int, float, float)):
      if v75 < 0:
       raise Invalid('report.blast_radius.new_files must be bigger than or equal to 0')
    if v134:
     raise Invalid('report.blast_radius must not contain ' + str(v134) + ' properties')
  if 'scope' in v228:
   v228.remove('scope')
   v224 = data['scope']
   if not isinstance(v224, dict):
    raise Invalid('report.scope must be object')
   v171 = isinstance(v224, dict)
   if v171:
    v111 = set(['ok', 'violations', 'touched_paths']) - v224.keys()
    if v111:
     raise Invalid('report.scope must contain ' + (str(sorted(v111)) + ' properties'))
    v200 = set(v224.keys())
    if 'ok' in v200:
     v200.remove('ok')
     v204 = v224['ok']
     if not isinstance(v204, bool):
      raise Invalid('report.scope.ok must be boolean')
    if 'violations' in v200:
     v200.remove('violations')
     v129 = v224['violations']
     if not isinstance(v129, (list, tuple)):
      raise Invalid('report.scope.violations must be array')
     v53 = isinstance(v129, (list, tuple))
     if v53:
      v84 = len(v129)
      if v84 > 200:
       raise Invalid('report.scope.violations must contain less than or equal to 200 items')
      for v113, v72 in enumerate(v129):
       if not isinstance(v72, str):
        raise Invalid('report' + '.scope.violations[{v113}]'.format(**locals()) + ' must be string')
       if isinstance(v72, str):
        v42 = len(v72)
        if v42 < 1:
         raise Invalid('report' + '.scope.violations[{v113}]'.format(**locals()) + ' must be longer than or equal to 1 characters')
        if v42 > 200:
         raise Invalid('report' + '.scope.violations[{v113}]'.format(**locals()) + ' must be shorter than or equal to 200 characters')
    if 'touched_paths' in v200:
     v200.remove('touched_paths')
     v112 = v224['touched_paths']
     if not isinstance(v112, (list, tuple)):
      raise Invalid('report.scope.touched_paths must be array')
     v35 = isinstance(v112, (list, tuple))
     if v35:
      v63 = len(v112)
      if v63 > 500:
       raise Invalid('report.scope.touched_paths must contain less than or equal to 500 items')
      for v83, v58 in enumerate(v112):
       if not isinstance(v58, str):
        raise Invalid('report' + '.scope.touched_paths[{v83}]'.format(**locals()) + ' must be string')
       if isinstance(v58, str):
        v31 = len(v58)
        if v31 < 1:
         raise Invalid('report' + '.scope.touched_paths[{v83}]'.format(**locals()) + ' must be longer than or equal to 1 characters')
        if v31 > 400:
         raise Invalid('report' + '.scope.touched_paths[{v83}]'.format(**locals()) + ' must be shorter than or equal to 400 characters')
    if v200:
     raise Invalid('report.scope must not contain ' + str(v200) + ' properties')
  if 'diff' in v228:
   v228.remove('diff')
   v226 = data['diff']
   if not isinstance(v226, dict):
    raise Invalid('report.diff must be object')
   v178 = isinstance(v226, dict)
   if v178:
    v118 = set(['files_changed', 'lines_changed', 'diff_patch_path']) - v226.keys()
    if v118:
     raise Invalid('report.diff must contain ' + (str(sorted(v118)) + ' properties'))
    v202 = set(v226.keys())
    if 'files_changed' in v202:
     v202.remove('files_changed')
     v116 = v226['files_changed']
     if not isinstance(v116, int) and (not (isinstance(v116, float) and v116.is_integer())) or isinstance(v116, bool):
      raise Invalid('report.diff.files_changed must be integer')
     if isinstance(v116, (int, float, float)):
      if v116 < 0:
       raise Invalid('report.diff.files_changed must be bigger than or equal to 0')
    if 'lines_changed' in v202:
     v202.remove('lines_changed')
     v117 = v226['lines_changed']
     if not isinstance(v117, int) and (not (isinstance(v117, float) and v117.is_integer())) or isinstance(v117, bool):
      raise Invalid('report.diff.lines_changed must be integer')
     if isinstance(v117, (int, float, float)):
      if v117 < 0:
       raise Invalid('report.diff.lines_changed must be bigger than or equal to 0')
    if 'diff_patch_path' in v202:
     v202.remove('diff_patch_path')
     v105 = v226['diff_patch_path']
     if not isinstance(v105, str):
      raise Invalid('report.diff.diff_patch_path must be string')
     if isinstance(v105, str):
      v61 = len(v105)
      if v61 < 1:
       raise Invalid('report.diff.diff_patch_path must be longer than or equal to 1 characters')
      if v61 > 300:
       raise Invalid('report.diff.diff_patch_path must be shorter than or equal to 300 characters')
    if v202:
     raise Invalid('report.diff must not contain ' + str(v202) + ' properties')
  if 'verification' in v228:
   v228.remove('verification')
   v185 = data['verification']
   if not isinstance(v185, dict):
    raise Invalid('report.verification must be object')
   v98 = isinstance(v185, dict)
   if v98:
    v43 = set(['exec_mode', 'runs', 'verify_log_path']) - v185.keys()
    if v43:
     raise Invalid('report.verification must contain ' + (str(sorted(v43)) + ' properties'))
    v131 = set(v185.keys())
    if 'exec_mode' in v131:
     v131.remove('exec_mode')
     v73 = v185['exec_mode']
     if not isinstance(v73, str):
      raise Invalid('report.verification.exec_mode must be string')
     if v73 not in ['argv_no_shell']:
      raise Invalid("report.verification.exec_mode must be one of ['argv_no_shell']")
    if 'runs' in v131:
     v131.remove('runs')
     v123 = v185['runs']
     if not isinstance(v123, (list, tuple)):
      raise Invalid('report.verification.runs must be array')
     v44 = isinstance(v123, (list, tuple))
     if v44:
      v74 = len(v123)
      if v74 > 40:
       raise Invalid('report.verification.runs must contain less than or equal to 40 items')
      for v97, v64 in enumerate(v123):
       if not isinstance(v64, dict):
        raise Invalid('report' + '.verification.runs[{v97}]'.format(**locals()) + ' must be object')
       v21 = isinstance(v64, dict)
       if v21:
        v4 = set(['template_id', 'phase', 'cmd', 'args', 'exit_code', 'duration_ms', 'timed_out']) - v64.keys()
        if v4:
         raise Invalid('report' + '.verification.runs[{v97}]'.format(**locals()) + ' must contain ' + (str(sorted(v4)) + ' properties'))
        v33 = set(v64.keys())
        if 'template_id' in v33:
         v33.remove('template_id')
         v10 = v64['template_id']
         if not isinstance(v10, str):
          raise Invalid('report' + '.verification.runs[{v97}].template_id'.format(**locals()) + ' must be string')
         if isinstance(v10, str):
          v1 = len(v10)
          if v1 < 1:
           raise Invalid('report' + '.verification.runs[{v97}].template_id'.format(**locals()) + ' must be longer than or equal to 1 characters')
          if v1 > 64:
           raise Invalid('report' + '.verification.runs[{v97}].template_id'.format(**locals()) + ' must be shorter than or equal to 64 characters')
        if 'phase' in v33:
         v33.remove('phase')
         v25 = v64['phase']
         if not isinstance(v25, str):
          raise Invalid('report' + '.verification.runs[{v97}].phase'.format(**locals()) + ' must be string')
         if v25 not in ['fast', 'slow']:
          raise Invalid('report' + '.verification.runs[{v97}].phase'.format(**locals()) + " must be one of ['fast', 'slow']")
        if 'cmd' in v33:
         v33.remove('cmd')
         v32 = v64['cmd']
         if not isinstance(v32, str):
          raise Invalid('report' + '.verification.runs[{v97}].cmd'.format(**locals()) + ' must be string')
         if isinstance(v32, str):
          v17 = len(v32)
          if v17 < 1:
           raise Invalid('report' + '.verification.runs[{v97}].cmd'.format(**locals()) + ' must be longer than or equal to 1 characters')
          if v17 > 120:
           raise Invalid('report' + '.verification.runs[{v97}].cmd'.format(**locals()) + ' must be shorter than or equal to 120 characters')
        if 'args' in v33:
         v33.remove('args')
         v29 = v64['args']
         if not isinstance(v29, (list, tuple)):
          raise Invalid('report' + '.verification.runs[{v97}].args'.format(**locals()) + ' must be array')
         v3 = isinstance(v29, (list, tuple))
         if v3:
          v12 = len(v29)
          if v12 > 40:
           raise Invalid('report' + '.verification.runs[{v97}].args'.format(**locals()) + ' must contain less than or equal to 40 items')
          for v20, v11 in enumerate(v29):
           if not isinstance(v11, str):
            raise Invalid('report' + '.verification.runs[{v97}].args[{v20}]'.format(**locals()) + ' must be string')
           if isinstance(v11, str):
            v2 = len(v11)
            if v2 > 200:
             raise Invalid('report' + '.verification.runs[{v97}].args[{v20}]'.format(**locals()) + ' must be shorter than or equal to 200 characters')
        if 'exit_code' in v33:
         v33.remove('exit_code')
         v13 = v64['exit_code']
         if not isinstance(v13, int) and (not (isinstance(v13, float) and v13.is_integer())) or isinstance(v13, bool):
          raise Invalid('report' + '.verification.runs[{v97}].exit_code'.format(**locals()) + ' must be integer')
         if isinstance(v13, (int, float, float)):
          if v13 < -1:
           raise Invalid('report' + '.verification.runs[{v97}].exit_code'.format(**locals()) + ' must be bigger than or equal to -1')
          if v13 > 255:
           raise Invalid('report' + '.verification.runs[{v97}].exit_code'.format(**locals()) + ' must be smaller than or equal to 255')
        if 'duration_ms' in v33:
         v33.remove('duration_ms')
         v8 = v64['duration_ms']
         if not isinstance(v8, int) and (not (isinstance(v8, float) and v8.is_integer())) or isinstance(v8, bool):
          raise Invalid('report' + '.verification.runs[{v97}].duration_ms'.format(**locals()) + ' must be integer')
         if isinstance(v8, (int, float, float)):
          if v8 < 0:
           raise Invalid('report' + '.verification.runs[{v97}].duration_ms'.format(**locals()) + ' must be bigger than or equal to 0')
        if 'timed_out' in v33:
         v33.remove('timed_out')
         v14 = v64['timed_out']
         if not isinstance(v14, bool):
          raise Invalid('report' + '.verification.runs[{v97}].timed_out'.format(**locals()) + ' must be boolean')
        if 'output_tail' in v33:
         v33.remove('output_tail')
         v9 = v64['output_tail']
         if not isinstance(v9, str):
          raise Invalid('report' + '.verification.runs[{v97}].output_tail'.format(**locals()) + ' must be string')
         if isinstance(v9, str):
          v0 = len(v9)
          if v0 > 4000:
           raise Invalid('report' + '.verification.runs[{v97}].output_tail'.format(**locals()) + ' must be shorter than or equal to 4000 characters')
        if v33:
         raise Invalid('report' + '.verification.runs[{v97}]'.format(**locals()) + ' must not contain ' + str(v33) + ' properties')
    if 'verify_log_path' in v131:
     v131.remove('verify_log_path')
     v36 = v185['verify_log_path']
     if not isinstance(v36, str):
      raise Invalid('report.verification.verify_log_path must be string')
     if isinstance(v36, str):
      v22 = len(v36)
      if v22 < 1:
       raise Invalid('report.verification.verify_log_path must be longer than or equal to 1 characters')
      if v22 > 300:
       raise Invalid('report.verification.verify_log_path must be shorter than or equal to 300 characters')
    if v131:
     raise Invalid('report.verification must not contain ' + str(v131) + ' properties')
  if 'budgets' in v228:
   v228.remove('budgets')
   v210 = data['budgets']
   if not isinstance(v210, dict):
    raise Invalid('report.budgets must be object')
   v142 = isinstance(v210, dict)
   if v142:
    v77 = set(['milestone_id', 'ticks', 'orchestrator_calls', 'builder_calls', 'verify_runs', 'estimated_cost_usd', 'warnings']) - v210.keys()
    if v77:
     raise Invalid('report.budgets must contain ' + (str(sorted(v77)) + ' properties'))
    v175 = set(v210.keys())
    if 'milestone_id' in v175:
     v175.remove('milestone_id')
     v88 = v210['milestone_id']
     if not isinstance(v88, str):
      raise Invalid('report.budgets.milestone_id must be string')
    if 'ticks' in v175:
     v175.remove('ticks')
     v153 = v210['ticks']
     if not isinstance(v153, int) and (not (isinstance(v153, float) and v153.is_integer())) or isinstance(v153, bool):
      raise Invalid('report.budgets.ticks must be integer')
     if isinstance(v153, (int, float, float)):
      if v153 < 0:
       raise Invalid('report.budgets.ticks must be bigger than or equal to 0')
    if 'orchestrator_calls' in v175:
     v175.remove('orchestrator_calls')
     v38 = v210['orchestrator_calls']
     if not isinstance(v38, int) and (not (isinstance(v38, float) and v38.is_integer())) or isinstance(v38, bool):
      raise Invalid('report.budgets.orchestrator_calls must be integer')
     if isinstance(v38, (int, float, float)):
      if v38 < 0:
       raise Invalid('report.budgets.orchestrator_calls must be bigger than or equal to 0')
    if 'builder_calls' in v175:
     v175.remove('builder_calls')
     v76 = v210['builder_calls']
     if not isinstance(v76, int) and (not (isinstance(v76, float) and v76.is_integer())) or isinstance(v76, bool):
      raise Invalid('report.budgets.builder_calls must be integer')
     if isinstance(v76, (int, float, float)):
      if v76 < 0:
       raise Invalid('report.budgets.builder_calls must be bigger than or equal to 0')
    if 'verify_runs' in v175:
     v175.remove('verify_runs')
     v101 = v210['verify_runs']
     if not isinstance(v101, int) and (not (isinstance(v101, float) and v101.is_integer())) or isinstance(v101, bool):
      raise Invalid('report.budgets.verify_runs must be integer')
     if isinstance(v101, (int, float, float)):
      if v101 < 0:
       raise Invalid('report.budgets.verify_runs must be bigger than or equal to 0')
    if 'estimated_cost_usd' in v175:
     v175.remove('estimated_cost_usd')
     v49 = v210['estimated_cost_usd']
     if not isinstance(v49, (int, float, float)) or isinstance(v49, bool):
      raise Invalid('report.budgets.estimated_cost_usd must be number')
     if isinstance(v49, (int, float, float)):
      if v49 < 0:
       raise Invalid('report.budgets.estimated_cost_usd must be bigger than or equal to 0')
    if 'warnings' in v175:
     v175.remove('warnings')
     v126 = v210['warnings']
     if not isinstance(v126, (list, tuple)):
      raise Invalid('report.budgets.warnings must be array')
     v50 = isinstance(v126, (list, tuple))
     if v50:
      v78 = len(v126)
      if v78 > 20:
       raise Invalid('report.budgets.warnings must contain less than or equal to 20 items')
      for v102, v66 in enumerate(v126):
       if not isinstance(v66, str):
        raise Invalid('report' + '.budgets.warnings[{v102}]'.format(**locals()) + ' must be string')
       if isinstance(v66, str):
        v39 = len(v66)
        if v39 < 1:
         raise Invalid('report' + '.budgets.warnings[{v102}]'.format(**locals()) + ' must be longer than or equal to 1 characters')
        if v39 > 200:
         raise Invalid('report' + '.budgets.warnings[{v102}]'.format(**locals()) + ' must be shorter than or equal to 200 characters')
    if v175:
     raise Invalid('report.budgets must not contain ' + str(v175) + ' properties')
  if 'ledger' in v228:
   v228.remove('ledger')
   v217 = data['ledger']
   if not isinstance(v217, dict):
    raise Invalid('report.ledger must be object')
   v159 = isinstance(v217, dict)
   if v159:
    v92 = set(['milestone_id', 'ticks', 'orchestrator_calls', 'builder_calls', 'verify_runs', 'estimated_cost_usd']) - v217.keys()
    if v92:
     raise Invalid('report.ledger must contain ' + (str(sorted(v92)) + ' properties'))
    v190 = set(v217.keys())
    if 'milestone_id' in v190:
     v190.remove('milestone_id')
     v107 = v217['milestone_id']
     if not isinstance(v107, str):
      raise Invalid('report.ledger.milestone_id must be string')
    if 'ticks' in v190:
     v190.remove('ticks')
     v167 = v217['ticks']
     if not isinstance(v167, int) and (not (isinstance(v167, float) and v167.is_integer())) or isinstance(v167, bool):
      raise Invalid('report.ledger.ticks must be integer')
     if isinstance(v167, (int, float, float)):
      if v167 < 0:
       raise Invalid('report.ledger.ticks must be bigger than or equal to 0')
    if 'orchestrator_calls' in v190:
     v190.remove('orchestrator_calls')
     v51 = v217['orchestrator_calls']
     if not isinstance(v51, int) and (not (isinstance(v51, float) and v51.is_integer())) or isinstance(v51, bool):
      raise Invalid('report.ledger.orchestrator_calls must be integer')
     if isinstance(v51, (int, float, float)):
      if v51 < 0:
       raise Invalid('report.ledger.orchestrator_calls must be bigger than or equal to 0')
    if 'builder_calls' in v190:
     v190.remove('builder_calls')
     v91 = v217['builder_calls']
     if not isinstance(v91, int) and (not (isinstance(v91, float) and v91.is_integer())) or isinstance(v91, bool):
      raise Invalid('report.ledger.builder_calls must be integer')
     if isinstance(v91, (int, float, float)):
      if v91 < 0:
       raise Invalid('report.ledger.builder_calls must be bigger than or equal to 0')
    if 'verify_runs' in v190:
     v190.remove('verify_runs')
     v120 = v217['verify_runs']
     if not isinstance(v120, int) and (not (isinstance(v120, float) and v120.is_integer())) or isinstance(v120, bool):
      raise Invalid('report.ledger.verify_runs must be integer')
     if isinstance(v120, (int, float, float)):
      if v120 < 0:
       raise Invalid('report.ledger.verify_runs must be bigger than or equal to 0')
    if 'estimated_cost_usd' in v190:
     v190.remove('estimated_cost_usd')
     v56 = v217['estimated_cost_usd']
     if not isinstance(v56, (int, float, float)) or isinstance(v56, bool):
      raise Invalid('report.ledger.estimated_cost_usd must be number')
     if isinstance(v56, (int, float, float)):
      if v56 < 0:
       raise Invalid('report.ledger.estimated_cost_usd must be bigger than or equal to 0')
    if v190:
     raise Invalid('report.ledger must not contain ' + str(v190) + ' properties')
  if 'pointers' in v228:
   v228.remove('pointers')
   v207 = data['pointers']
   if not isinstance(v207, dict):
    raise Invalid('report.pointers must be object')
   v135 = isinstance(v207, dict)
   if v135:
    v67 = set([]) - v207.keys()
    if v67:
     raise Invalid('report.pointers must contain ' + (str(sorted(v67)) + ' properties'))
    v168 = set(v207.keys())
    if 'report_md_path' in v168:
     v168.remove('report_md_path')
     v68 = v207['report_md_path']
     if not isinstance(v68, str):
      raise Invalid('report.pointers.report_md_path must be string')
    if 'history_dir' in v168:
     v168.remove('history_dir')
     v93 = v207['history_dir']
     if not isinstance(v93, str):
      raise Invalid('report.pointers.history_dir must be string')
    if v168:
     raise Invalid('report.pointers must not contain ' + str(v168) + ' properties')
  if 'builder' in v228:
   v228.remove('builder')
   v211 = data['builder']
   if not isinstance(v211, dict):
    raise Invalid('report.builder must be object')
   v144 = isinstance(v211, dict)
   if v144:
    v79 = set(['mode', 'output_valid']) - v211.keys()
    if v79:
     raise Invalid('report.builder must contain ' + (str(sorted(v79)) + ' properties'))
    v176 = set(v211.keys())
    if 'mode' in v176:
     v176.remove('mode')
     v164 = v211['mode']
     if not isinstance(v164, str):
      raise Invalid('report.builder.mode must be string')
     if v164 not in ['claude_code', 'patch', 'cursor']:
      raise Invalid("report.builder.mode must be one of ['claude_code', 'patch', 'cursor']")
    if 'output_valid' in v176:
     v176.remove('output_valid')
     v89 = v211['output_valid']
     if not isinstance(v89, bool):
      raise Invalid('report.builder.output_valid must be boolean')
    if 'status' in v176:
     v176.remove('status')
     v143 = v211['status']
     if not isinstance(v143, str):
      raise Invalid('report.builder.status must be string')
     if v143 not in ['done', 'refused']:
      raise Invalid("report.builder.status must be one of ['done', 'refused']")
    if v176:
     raise Invalid('report.builder must not contain ' + str(v176) + ' properties')
  if 'commit' in v228:
   v228.remove('commit')
   v216 = data['commit']
   if not isinstance(v216, dict):
    raise Invalid('report.commit must be object')
   v156 = isinstance(v216, dict)
   if v156:
    v90 = set(['id', 'branch', 'subject']) - v216.keys()
    if v90:
     raise Invalid('report.commit must contain ' + (str(sorted(v90)) + ' properties'))
    v187 = set(v216.keys())
    if 'id' in v187:
     v187.remove('id')
     v196 = v216['id']
     if not isinstance(v196, str):
      raise Invalid('report.commit.id must be string')
     if isinstance(v196, str):
      v155 = len(v196)
      if v155 < 7:
       raise Invalid('report.commit.id must be longer than or equal to 7 characters')
      if v155 > 64:
       raise Invalid('report.commit.id must be shorter than or equal to 64 characters')
    if 'branch' in v187:
     v187.remove('branch')
     v154 = v216['branch']
     if not isinstance(v154, str):
      raise Invalid('report.commit.branch must be string')
     if isinstance(v154, str):
      v115 = len(v154)
      if v115 < 1:
       raise Invalid('report.commit.branch must be longer than or equal to 1 characters')
    if 'subject' in v187:
     v187.remove('subject')
     v145 = v216['subject']
     if not isinstance(v145, str):
      raise Invalid('report.commit.subject must be string')
     if isinstance(v145, str):
      v103 = len(v145)
      if v103 < 1:
       raise Invalid('report.commit.subject must be longer than or equal to 1 characters')
      if v103 > 200:
       raise Invalid('report.commit.subject must be shorter than or equal to 200 characters')
    if v187:
     raise Invalid('report.commit must not contain ' + str(v187) + ' properties')
  if 'rollback' in v228:
   v228.remove('rollback')
   v209 = data['rollback']
   if not isinstance(v209, dict):
    raise Invalid('report.rollback must be object')
   v139 = isinstance(v209, dict)
   if v139:
    v71 = set(['ok']) - v209.keys()
    if v71:
     raise Invalid('report.rollback must contain ' + (str(sorted(v71)) + ' properties'))
    v170 = set(v209.keys())
    if 'ok' in v170:
     v170.remove('ok')
     v180 = v209['ok']
     if not isinstance(v180, bool):
      raise Invalid('report.rollback.ok must be boolean')
    if 'rescue_ref' in v170:
     v170.remove('rescue_ref')
     v110 = v209['rescue_ref']
     if not isinstance(v110, str):
      raise Invalid('report.rollback.rescue_ref must be string')
     if isinstance(v110, str):
      v62 = len(v110)
      if v62 < 1:
       raise Invalid('report.rollback.rescue_ref must be longer than or equal to 1 characters')
    if v170:
     raise Invalid('report.rollback must not contain ' + str(v170) + ' properties')
  if 'control' in v228:
   v228.remove('control')
   v212 = data['control']
   if not isinstance(v212, dict):
    raise Invalid('report.control must be object')
   v148 = isinstance(v212, dict)
   if v148:
    v80 = set(['action']) - v212.keys()
    if v80:
     raise Invalid('report.control must contain ' + (str(sorted(v80)) + ' properties'))
    v177 = set(v212.keys())
    if 'action' in v177:
     v177.remove('action')
     v146 = v212['action']
     if not isinstance(v146, str):
      raise Invalid('report.control.action must be string')
     if v146 not in ['continue', 'stop']:
      raise Invalid("report.control.action must be one of ['continue', 'stop']")
    if 'reason' in v177:
     v177.remove('reason')
     v147 = v212['reason']
     if not isinstance(v147, str):
      raise Invalid('report.control.reason must be string')
     if isinstance(v147, str):
      v104 = len(v147)
      if v104 > 400:
       raise Invalid('report.control.reason must be shorter than or equal to 400 characters')
    if v177:
     raise Invalid('report.control must not contain ' + str(v177) + ' properties')
  if 'question' in v228:
   v228.remove('question')
   v208 = data['question']
   if not isinstance(v208, dict):
    raise Invalid('report.question must be object')
   v137 = isinstance(v208, dict)
   if v137:
    v70 = set(['prompt']) - v208.keys()
    if v70:
     raise Invalid('report.question must contain ' + (str(sorted(v70)) + ' properties'))
    v169 = set(v208.keys())
    if 'prompt' in v169:
     v169.remove('prompt')
     v136 = v208['prompt']
     if not isinstance(v136, str):
      raise Invalid('report.question.prompt must be string')
     if isinstance(v136, str):
      v94 = len(v136)
      if v94 < 1:
       raise Invalid('report.question.prompt must be longer than or equal to 1 characters')
      if v94 > 2000:
       raise Invalid('report.question.prompt must be shorter than or equal to 2000 characters')
    if 'choices' in v169:
     v169.remove('choices')
     v128 = v208['choices']
     if not isinstance(v128, (list, tuple)):
      raise Invalid('report.question.choices must be array')
     v52 = isinstance(v128, (list, tuple))
     if v52:
      v81 = len(v128)
      if v81 > 12:
       raise Invalid('report.question.choices must contain less than or equal to 12 items')
      for v108, v69 in enumerate(v128):
       if not isinstance(v69, str):
        raise Invalid('report' + '.question.choices[{v108}]'.format(**locals()) + ' must be string')
       if isinstance(v69, str):
        v40 = len(v69)
        if v40 < 1:
         raise Invalid('report' + '.question.choices[{v108}]'.format(**locals()) + ' must be longer than or equal to 1 characters')
        if v40 > 200:
         raise Invalid('report' + '.question.choices[{v108}]'.format(**locals()) + ' must be shorter than or equal to 200 characters')
    if v169:
     raise Invalid('report.question must not contain ' + str(v169) + ' properties')
  if 'review' in v228:
   v228.remove('review')
   v218 = data['review']
   if not isinstance(v218, dict):
    raise Invalid('report.review must be object')
   v160 = isinstance(v218, dict)
   if v160:
    v96 = set(['summary', 'criteria']) - v218.keys()
    if v96:
     raise Invalid('report.review must contain ' + (str(sorted(v96)) + ' properties'))
    v191 = set(v218.keys())
    if 'summary' in v191:
     v191.remove('summary')
     v150 = v218['summary']
     if not isinstance(v150, str):
      raise Invalid('report.review.summary must be string')
     if isinstance(v150, str):
      v109 = len(v150)
      if v109 < 1:
       raise Invalid('report.review.summary must be longer than or equal to 1 characters')
      if v109 > 800:
       raise Invalid('report.review.summary must be shorter than or equal to 800 characters')
    if 'criteria' in v191:
     v191.remove('criteria')
     v138 = v218['criteria']
     if not isinstance(v138, (list, tuple)):
      raise Invalid('report.review.criteria must be array')
     v57 = isinstance(v138, (list, tuple))
     if v57:
      v95 = len(v138)
      if v95 < 1:
       raise Invalid('report.review.criteria must contain at least 1 items')
      if v95 > 50:
       raise Invalid('report.review.criteria must contain less than or equal to 50 items')
      for v121, v82 in enumerate(v138):
       if not isinstance(v82, dict):
        raise Invalid('report' + '.review.criteria[{v121}]'.format(**locals()) + ' must be object')
       v28 = isinstance(v82, dict)
       if v28:
        v7 = set(['criterion', 'verdict', 'evidence']) - v82.keys()
        if v7:
         raise Invalid('report' + '.review.criteria[{v121}]'.format(**locals()) + ' must contain ' + (str(sorted(v7)) + ' properties'))
        v41 = set(v82.keys())
        if 'criterion' in v41:
         v41.remove('criterion')
         v16 = v82['criterion']
         if not isinstance(v16, str):
          raise Invalid('report' + '.review.criteria[{v121}].criterion'.format(**locals()) + ' must be string')
         if isinstance(v16, str):
          v5 = len(v16)
          if v5 < 1:
           raise Invalid('report' + '.review.criteria[{v121}].criterion'.format(**locals()) + ' must be longer than or equal to 1 characters')
          if v5 > 400:
           raise Invalid('report' + '.review.criteria[{v121}].criterion'.format(**locals()) + ' must be shorter than or equal to 400 characters')
        if 'verdict' in v41:
         v41.remove('verdict')
         v24 = v82['verdict']
         if not isinstance(v24, str):
          raise Invalid('report' + '.review.criteria[{v121}].verdict'.format(**locals()) + ' must be string')
         if v24 not in ['pass', 'fail', 'needs_human']:
          raise Invalid('report' + '.review.criteria[{v121}].verdict'.format(**locals()) + " must be one of ['pass', 'fail', 'needs_human']")
        if 'evidence' in v41:
         v41.remove('evidence')
         v19 = v82['evidence']
         if not isinstance(v19, str):
          raise Invalid('report' + '.review.criteria[{v121}].evidence'.format(**locals()) + ' must be string')
         if isinstance(v19, str):
          v6 = len(v19)
          if v6 < 1:
           raise Invalid('report' + '.review.criteria[{v121}].evidence'.format(**locals()) + ' must be longer than or equal to 1 characters')
          if v6 > 800:
           raise Invalid('report' + '.review.criteria[{v121}].evidence'.format(**locals()) + ' must be shorter than or equal to 800 characters')
        if v41:
         raise Invalid('report' + '.review.criteria[{v121}]'.format(**locals()) + ' must not contain ' + str(v41) + ' properties')
    if v191:
     raise Invalid('report.review must not contain ' + str(v191) + ' properties')
  if 'stages' in v228:
   v228.remove('stages')
   v219 = data['stages']
   if not isinstance(v219, dict):
    raise Invalid('report.stages must be object')
   v161 = isinstance(v219, dict)
   if v161:
    v193 = set(v219.keys())
    for v201 in v193:
     if v201 not in []:
      v181 = v219.get(v201)
      if not isinstance(v181, int) and (not (isinstance(v181, float) and v181.is_integer())) or isinstance(v181, bool):
       raise Invalid('report' + '.stages.{v201}'.format(**locals()) + ' must be integer')
      if isinstance(v181, (int, float, float)):
       if v181 < 0:
        raise Invalid('report' + '.stages.{v201}'.format(**locals()) + ' must be bigger than or equal to 0')
  if 'agent' in v228:
   v228.remove('agent')
   v221 = data['agent']
   if not isinstance(v221, dict):
    raise Invalid('report.agent must be object')
   v163 = isinstance(v221, dict)
   if v163:
    v99 = set(['usage']) - v221.keys()
    if v99:
     raise Invalid('report.agent must contain ' + (str(sorted(v99)) + ' properties'))
    v194 = set(v221.keys())
    if 'usage' in v194:
     v194.remove('usage')
     v174 = v221['usage']
     if not isinstance(v174, dict):
      raise Invalid('report.agent.usage must be object')
     v87 = isinstance(v174, dict)
     if v87:
      v125 = set(v174.keys())
      for v133 in v125:
       if v133 not in []:
        v114 = v174.get(v133)
        if not isinstance(v114, int) and (not (isinstance(v114, float) and v114.is_integer())) or isinstance(v114, bool):
         raise Invalid('report' + '.agent.usage.{v133}'.format(**locals()) + ' must be integer')
    if 'calls' in v194:
     v194.remove('calls')
     v173 = v221['calls']
     if not isinstance(v173, (list, tuple)):
      raise Invalid('report.agent.calls must be array')
     v86 = isinstance(v173, (list, tuple))
     if v86:
      v132 = len(v173)
      if v132 > 20:
       raise Invalid('report.agent.calls must contain less than or equal to 20 items')
      for v151, v124 in enumerate(v173):
       if not isinstance(v124, dict):
        raise Invalid('report' + '.agent.calls[{v151}]'.format(**locals()) + ' must be object')
       v45 = isinstance(v124, dict)
       if v45:
        v18 = set(['role', 'duration_ms']) - v124.keys()
        if v18:
         raise Invalid('report' + '.agent.calls[{v151}]'.format(**locals()) + ' must contain ' + (str(sorted(v18)) + ' properties'))
        v65 = set(v124.keys())
        if 'role' in v65:
         v65.remove('role')
         v59 = v124['role']
         if not isinstance(v59, str):
          raise Invalid('report' + '.agent.calls[{v151}].role'.format(**locals()) + ' must be string')
         if isinstance(v59, str):
          v34 = len(v59)
          if v34 < 1:
           raise Invalid('report' + '.agent.calls[{v151}].role'.format(**locals()) + ' must be longer than or equal to 1 characters')
          if v34 > 40:
           raise Invalid('report' + '.agent.calls[{v151}].role'.format(**locals()) + ' must be shorter than or equal to 40 characters')
        if 'duration_ms' in v65:
         v65.remove('duration_ms')
         v26 = v124['duration_ms']
         if not isinstance(v26, int) and (not (isinstance(v26, float) and v26.is_integer())) or isinstance(v26, bool):
          raise Invalid('report' + '.agent.calls[{v151}].duration_ms'.format(**locals()) + ' must be integer')
         if isinstance(v26, (int, float, float)):
          if v26 < 0:
           raise Invalid('report' + '.agent.calls[{v151}].duration_ms'.format(**locals()) + ' must be bigger than or equal to 0')
        if 'cost_usd' in v65:
         v65.remove('cost_usd')
         v37 = v124['cost_usd']
         if not isinstance(v37, (int, float, float)) or isinstance(v37, bool):
          raise Invalid('report' + '.agent.calls[{v151}].cost_usd'.format(**locals()) + ' must be number')
         if isinstance(v37, (int, float, float)):
          if v37 < 0:
           raise Invalid('report' + '.agent.calls[{v151}].cost_usd'.format(**locals()) + ' must be bigger than or equal to 0')
        if 'turns' in v65:
         v65.remove('turns')
         v54 = v124['turns']
         if not isinstance(v54, int) and (not (isinstance(v54, float) and v54.is_integer())) or isinstance(v54, bool):
          raise Invalid('report' + '.agent.calls[{v151}].turns'.format(**locals()) + ' must be integer')
         if isinstance(v54, (int, float, float)):
          if v54 < 0:
           raise Invalid('report' + '.agent.calls[{v151}].turns'.format(**locals()) + ' must be bigger than or equal to 0')
        if 'usage' in v65:
         v65.remove('usage')
         v55 = v124['usage']
         if not isinstance(v55, dict):
          raise Invalid('report' + '.agent.calls[{v151}].usage'.format(**locals()) + ' must be object')
         v15 = isinstance(v55, dict)
         if v15:
          v27 = set(v55.keys())
          for v30 in v27:
           if v30 not in []:
            v23 = v55.get(v30)
            if not isinstance(v23, int) and (not (isinstance(v23, float) and v23.is_integer())) or isinstance(v23, bool):
             raise Invalid('report' + '.agent.calls[{v151}].usage.{v30}'.format(**locals()) + ' must be integer')
        if v65:
         raise Invalid('report' + '.agent.calls[{v151}]'.format(**locals()) + ' must not contain ' + str(v65) + ' properties')
    if v194:
     raise Invalid('report.agent must not contain ' + str(v194) + ' properties')
  if 'sandbox' in v228:
   v228.remove('sandbox')
   v214 = data['sandbox']
   if not isinstance(v214, str):
    raise Invalid('report.sandbox must be string')
   if isinstance(v214, str):
    v192 = len(v214)
    if v192 < 1:
     raise Invalid('report.sandbox must be longer than or equal to 1 characters')
  if 'error' in v228:
   v228.remove('error')
   v222 = data['error']
   if not isinstance(v222, dict):
    raise Invalid('report.error must be object')
   v166 = isinstance(v222, dict)
   if v166:
    v106 = set(['kind', 'detail']) - v222.keys()
    if v106:
     raise Invalid('report.error must contain ' + (str(sorted(v106)) + ' properties'))
    v198 = set(v222.keys())
    if 'kind' in v198:
     v198.remove('kind')
     v189 = v222['kind']
     if not isinstance(v189, str):
      raise Invalid('report.error.kind must be string')
     if isinstance(v189, str):
      v149 = len(v189)
      if v149 < 1:
       raise Invalid('report.error.kind must be longer than or equal to 1 characters')
      if v149 > 80:
       raise Invalid('report.error.kind must be shorter than or equal to 80 characters')
    if 'detail' in v198:
     v198.remove('detail')
     v165 = v222['detail']
     if not isinstance(v165, str):
      raise Invalid('report.error.detail must be string')
     if isinstance(v165, str):
      v127 = len(v165)
      if v127 > 2000:
       raise Invalid('report.error.detail must be shorter than or equal to 2000 characters')
    if 'retry_at' in v198:
     v198.remove('retry_at')
     v157 = v222['retry_at']
     if not isinstance(v157, str):
      raise Invalid('report.error.retry_at must be string')
     if isinstance(v157, str):
      v119 = len(v157)
      if v119 < 1:
       raise Invalid('report.error.retry_at must be longer than or equal to 1 characters')
      if not REGEX_PATTERNS['^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?(Z|[+-]\\d{2}:\\d{2})$'].search(v157):
       raise Invalid('report.error.retry_at must match pattern ^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?(Z|[+-]\\d{2}:\\d{2})$')
    if v198:
     raise Invalid('report.error must not contain ' + str(v198) + ' properties')
  if v228:
   raise Invalid('report must not contain ' + str(v228) + ' properties')
 return data

def validate(document):
 return validate_https___relais_local_schemas_report_schema_json(document)
