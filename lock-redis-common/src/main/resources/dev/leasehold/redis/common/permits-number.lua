-- The beginning of an acquisition of permits, after permits.lua: all clients of a name agree on the number of permits.
--
-- ARGV[5] the number of permits that the caller expects
--
-- Reply: { 0, number } if the name has another number.
if strange() then
  return strange()
elseif not number then
  number = tonumber(ARGV[5])
elseif number ~= tonumber(ARGV[5]) then
  return { 0, number }
end
