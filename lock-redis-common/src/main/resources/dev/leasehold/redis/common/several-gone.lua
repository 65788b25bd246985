-- What a release begins with of a token whose acquisition may still be on its way, on another connection: when
-- it comes, several-not-gone.lua refuses it.
--
-- KEYS[#KEYS] of this token alone
--
-- It stays for an hour: by then every network has delivered or dropped a packet.
redis.call('SET', KEYS[#KEYS], '', 'PX', 3600000)
