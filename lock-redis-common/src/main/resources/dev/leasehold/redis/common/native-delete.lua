-- Which compare-and-delete of its own the server has, and this user may send.
--
-- KEYS[1] any lock
--
-- Reply: 1 DELEX, of Redis 8.4; 2 DELIFEQ, of Valkey 9; 0 neither, or the server can't tell.
local function has(...)
  local known, allowed = pcall(redis.acl_check_cmd, ...)
  return known and allowed
end
if has('DELEX', KEYS[1], 'IFEQ', '') then return 1 end
if has('DELIFEQ', KEYS[1], '') then return 2 end
return 0
