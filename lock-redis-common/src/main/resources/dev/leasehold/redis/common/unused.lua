-- Gives back the numbers that were set aside for hand-overs and not used. Part of a release, after the part that checks
-- that the token has the lock, and after numbers.lua.
--
-- KEYS[#KEYS] fence   ARGV[#ARGV - 1] the last number used  ARGV[#ARGV] the last one drawn
-- Reply: that of the rest of the release.
--
-- Only if no number was drawn since: a release may arrive late. By pcall: the release succeeds all the same, even on a
-- server that is out of memory.
local given = redis.pcall('GET', KEYS[#KEYS])
if last_number(given) == tonumber(ARGV[#ARGV]) then
  local used = fence_text(tonumber(ARGV[#ARGV - 1]), 0, is_marked(given))
  redis.pcall('SET', KEYS[#KEYS], used, 'PX', fence_ttl)
end
