-- After history.lua, before voters.lua and guard.lua: recognizes the usual vote, which needs nothing of these two. What
-- stands between here and the end of guard.lua runs for the others.
--
-- KEYS and ARGV as in guard.lua
--
-- A vote is usual if the marker says that this server has all its data, no lease from before can still be valid, and
-- the only clients on record have the requesting client's longest lease and lists, and voted less than a second ago: then
-- guard.lua would neither refuse the vote nor write anything. Fields are compared as text, as voters.lua writes them,
-- since to parse and write them anew costs the server several times what the acquisition itself does. A request whose
-- run is '?' is never usual: guard.lua asks the server.
local marker = redis.call('HMGET', KEYS[#KEYS], 'run', 'since', 'longest', 'replid', 'voters', 'clients')
local note_vote -- records the vote, once the lock is granted
local function is_usual(longest, lists, names)
  local since, voters, clients = marker[2], marker[5], marker[6]
  if is_other(marker, ARGV[#ARGV - 1]) or not voters or not clients then return false end
  local voted = string.sub(voters, #longest + 2, #longest + 14) -- the time 'ends', 13 digits until 2286
  local entered = string.match(clients, '^' .. longest .. ' %d+ (%d+)\n$')
  if not entered or voters ~= longest .. ' ' .. voted .. ' ' .. lists .. ' ' .. names .. '\n' then return false end
  local clock = redis.call('TIME')
  local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
  longest, voted, entered = tonumber(longest), (tonumber(voted) or 0) - now, tonumber(entered) - now
  return tonumber(marker[3]) == longest - 1
    and since + longest <= now
    and longest <= voted and voted <= longest + 1000
    and 0 < entered and entered <= 2 * longest + 1000
end
if not is_usual(ARGV[#ARGV], ARGV[#ARGV - 3], ARGV[#ARGV - 2]) then
