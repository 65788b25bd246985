-- The beginning of release.lua for a token whose acquisition may still be on its way, on another
-- connection: when it comes, take-setnx.lua refuses it.
--
-- KEYS[3] of this token alone
--
-- It stays for an hour: by then every network has delivered or dropped a packet.
redis.call('SET', KEYS[3], '', 'PX', 3600000)
