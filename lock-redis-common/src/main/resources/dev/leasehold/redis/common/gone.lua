-- The beginning of release.lua for a token whose acquisition may still be in flight on another connection: when that
-- arrives, take-setnx.lua refuses it.
--
-- KEYS[3] mark of this token alone
--
-- It lives for an hour: by then every network has delivered or dropped a packet.
redis.call('SET', KEYS[3], '', 'PX', 3600000)
