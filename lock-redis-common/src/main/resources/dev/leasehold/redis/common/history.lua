-- The beginning of guard.lua, enter.lua and node.lua of lock-redisson-adapter: whether the marker of a
-- node tells of the data that the server has.
--
-- KEYS[i] and ARGV[i] as these tell
--
-- Reply: an error if the server is a replica.
--
-- A server that became a replica, took over what its new primary had, and was promoted again is still
-- the same run, but has forgotten what that primary never had. A promotion gives it a new replication
-- id and keeps the one before as a second. So its data is that which the marker tells of if it has no
-- second id: it was not promoted, or not for as long as its replication backlog lasts; or else if its
-- id is the marker's. (A server without a second id may change its id and keep its data: when a first
-- replica or a backup asks for all of it, and some time after the last replica left.)
local replication = redis.call('INFO', 'replication')
local replid = string.match(replication, 'master_replid:(%w+)')
local function is_other(mark, run)
  local promoted = not string.find(replication, 'master_replid2:0+%s')
  return mark[1] ~= run or not mark[2] or (promoted and mark[4] ~= replid)
end

-- Server time in ms when the run was first met. Later than now means that the clock was set back: what may
-- be forgotten is no older than now, so from now on it counts.
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
