-- The beginning of a release of a token whose acquisition may still be in flight on another connection: when that
-- arrives, several-not-gone.lua refuses it.
--
-- KEYS[#KEYS] mark of this token alone
--
-- It lives for an hour: by then every network has delivered or dropped a packet.
redis.call('SET', KEYS[#KEYS], '', 'PX', 3600000)
