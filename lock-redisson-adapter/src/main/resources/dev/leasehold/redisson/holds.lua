-- The beginning of a script that requires the token to have the lock.
--
-- KEYS[1] lock: a hash, holder -> hold count
-- ARGV[1] token
--
-- Reply: 0 not the token's.
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then
  return 0
end
