-- Gives back the numbers that were set aside for hand-overs and not used. Stands in a release, after the part
-- that tells that the token has the lock, and after numbers.lua.
--
-- KEYS[#KEYS] fence   ARGV[#ARGV - 1] the last number that was used  ARGV[#ARGV] the last one that was given
-- Reply: what the rest of the release tells.
--
-- Only if nothing was given since: a release may come late. By pcall: the release counts all the same, also on
-- a server that is out of memory.
local given = redis.pcall('GET', KEYS[#KEYS])
if last_number(given) == tonumber(ARGV[#ARGV]) then
  local used = fence_text(tonumber(ARGV[#ARGV - 1]), 0, is_marked(given))
  redis.pcall('SET', KEYS[#KEYS], used, 'PX', 86400000)
end
