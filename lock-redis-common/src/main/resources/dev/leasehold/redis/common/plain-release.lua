-- Releases a lock in plain mode if the token has it: compare and delete in one step.
--
-- KEYS[1] lock
-- ARGV[1] token
--
-- Reply: 1 freed, 0 not the token's.
if redis.call('GET', KEYS[1]) == ARGV[1] then
  return redis.call('DEL', KEYS[1])
end
return 0
