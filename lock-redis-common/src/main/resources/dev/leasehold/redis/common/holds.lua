-- The beginning of a script that requires the token to have the lock. After marks.lua.
--
-- KEYS[1] lock
-- ARGV[1] token
--
-- Reply: 0 not the token's.
if unmarked(redis.call('GET', KEYS[1])) ~= ARGV[1] then
  return 0
end
