-- What an acquisition of permits begins with, after permits.lua: all users of a name agree on the number.
--
-- ARGV[5] the number of permits as the caller has it
--
-- Reply: { 0, number } if the name has another number.
if strange() then
  return strange()
elseif not number then
  number = tonumber(ARGV[5])
elseif number ~= tonumber(ARGV[5]) then
  return { 0, number }
end
