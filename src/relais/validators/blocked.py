"""Generated from blocked.schema.json by `make validators` with fastjsonschema; never edited."""

import re

from relais.text.documents import Invalid

REGEX_PATTERNS = {'^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?(Z|[+-]\\d{2}:\\d{2})$': re.compile('^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?(Z|[+-]\\d{2}:\\d{2})\\Z')}
NoneType = type(None)

def validate_https___relais_local_schemas_blocked_schema_json(data, custom_formats={}, name_prefix=None):
 if not isinstance(data, dict):
  raise Invalid('blocked must be object')
 v17 = isinstance(data, dict)
 if v17:
  v9 = set(['code', 'reason', 'remediation', 'blocked_at']) - data.keys()
  if v9:
   raise Invalid('blocked must contain ' + (str(sorted(v9)) + ' properties'))
  v19 = set(data.keys())
  if 'code' in v19:
   v19.remove('code')
   v18 = data['code']
   if not isinstance(v18, str):
    raise Invalid('blocked.code must be string')
   if v18 not in ['BLOCKED_MISSING_CONFIG', 'BLOCKED_LOCK_HELD', 'BLOCKED_CRASH_RECOVERY_REQUIRED', 'BLOCKED_DIRTY_WORKTREE', 'BLOCKED_HISTORY_CAP_CLEANUP_REQUIRED', 'BLOCKED_AGENT_UNAVAILABLE', 'BLOCKED_RATE_LIMITED', 'BLOCKED_QUESTION_PENDING', 'BLOCKED_STUCK', 'BLOCKED_BUDGET_CAP', 'BLOCKED_BUDGET_EXHAUSTED', 'BLOCKED_ORCHESTRATOR_OUTPUT_INVALID']:
    raise Invalid("blocked.code must be one of ['BLOCKED_MISSING_CONFIG', 'BLOCKED_LOCK_HELD', 'BLOCKED_CRASH_RECOVERY_REQUIRED', 'BLOCKED_DIRTY_WORKTREE', 'BLOCKED_HISTORY_CAP_CLEANUP_REQUIRED', 'BLOCKED_AGENT_UNAVAILABLE', 'BLOCKED_RATE_LIMITED', 'BLOCKED_QUESTION_PENDING', 'BLOCKED_STUCK', 'BLOCKED_BUDGET_CAP', 'BLOCKED_BUDGET_EXHAUSTED', 'BLOCKED_ORCHESTRATOR_OUTPUT_INVALID']")
  if 'reason' in v19:
   v19.remove('reason')
   v16 = data['reason']
   if not isinstance(v16, str):
    raise Invalid('blocked.reason must be string')
   if isinstance(v16, str):
    v12 = len(v16)
    if v12 < 1:
     raise Invalid('blocked.reason must be longer than or equal to 1 characters')
    if v12 > 2000:
     raise Invalid('blocked.reason must be shorter than or equal to 2000 characters')
  if 'remediation' in v19:
   v19.remove('remediation')
   v11 = data['remediation']
   if not isinstance(v11, (list, tuple)):
    raise Invalid('blocked.remediation must be array')
   v1 = isinstance(v11, (list, tuple))
   if v1:
    v5 = len(v11)
    for v7, v3 in enumerate(v11):
     if not isinstance(v3, str):
      raise Invalid('blocked' + '.remediation[{v7}]'.format(**locals()) + ' must be string')
     if isinstance(v3, str):
      v0 = len(v3)
      if v0 < 1:
       raise Invalid('blocked' + '.remediation[{v7}]'.format(**locals()) + ' must be longer than or equal to 1 characters')
      if v0 > 500:
       raise Invalid('blocked' + '.remediation[{v7}]'.format(**locals()) + ' must be shorter than or equal to 500 characters')
  if 'blocked_at' in v19:
   v19.remove('blocked_at')
   v13 = data['blocked_at']
   if not isinstance(v13, str):
    raise Invalid('blocked.blocked_at must be string')
   if isinstance(v13, str):
    v6 = len(v13)
    if v6 < 1:
     raise Invalid('blocked.blocked_at must be longer than or equal to 1 characters')
    if not REGEX_PATTERNS['^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?(Z|[+-]\\d{2}:\\d{2})$'].search(v13):
     raise Invalid('blocked.blocked_at must match pattern ^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?(Z|[+-]\\d{2}:\\d{2})$')
  if 'details' in v19:
   v19.remove('details')
   v15 = data['details']
   if not isinstance(v15, (list, tuple)):
    raise Invalid('blocked.details must be array')
   v4 = isinstance(v15, (list, tuple))
   if v4:
    v10 = len(v15)
    for v14, v8 in enumerate(v15):
     if not isinstance(v8, str):
      raise Invalid('blocked' + '.details[{v14}]'.format(**locals()) + ' must be string')
     if isinstance(v8, str):
      v2 = len(v8)
      if v2 < 1:
       raise Invalid('blocked' + '.details[{v14}]'.format(**locals()) + ' must be longer than or equal to 1 characters')
      if v2 > 400:
       raise Invalid('blocked' + '.details[{v14}]'.format(**locals()) + ' must be shorter than or equal to 400 characters')
  if v19:
   raise Invalid('blocked must not contain ' + str(v19) + ' properties')
 return data

def validate(document):
 return validate_https___relais_local_schemas_blocked_schema_json(document)
