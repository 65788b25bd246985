-- Releases a lock if the token has it, and passes it to the first waiter that listens. After marks.lua; followed by
-- pass.lua.
--
-- KEYS[1] lock   KEYS[2] waiters
-- ARGV[1] token  ARGV[2] to ARGV[6] as in pass.lua
--
-- Reply: 0 not the token's, nothing was changed; else as in pass.lua.
local v = unmarked(redis.call('GET', KEYS[1]))
if v ~= ARGV[1] and v ~= '+' .. ARGV[1] then
  return 0
end
