-- The beginning of usual.lua, guard.lua and enter.lua: whether a node's marker belongs to the data that the server has.
--
-- KEYS[i] and ARGV[i] as in those files
--
-- Reply: an error if the server is a replica.
--
-- A server that became a replica, copied its new primary's data, and was promoted again is still the same run, but has
-- lost what that primary never had. A promotion gives it a new replication id and keeps the previous one as a second.
-- So the data is the marker's if there is no second id (the server was not promoted, or not within the lifetime of its
-- replication backlog), or if its id is the marker's. (A server without a second id may change its id and keep its
-- data: when a first replica or a backup requests a full copy, and some time after the last replica left.)
local replication = redis.call('INFO', 'replication')
local function is_other(mark, run)
  if mark[1] ~= run or not mark[2] then return true end
  local same = mark[4] and string.find(replication, 'master_replid:' .. mark[4] .. '%s')
  return not same and not string.find(replication, 'master_replid2:0+%s')
end

-- Server time in ms when the run was first seen. Later than now means that the clock was set back: lost writes are no
-- younger than now, so the time counts from now.
local function met_at(key, since, now)
  if tonumber(since) > now then
    since = string.format('%.0f', now)
    redis.call('HSET', key, 'since', since)
  end
  return tonumber(since)
end
if not string.find(replication, 'role:master') then
  return redis.error_reply('QUARANTINE READONLY the server is a replica')
end
