package dev.leasehold.controls;

import dev.leasehold.lock.spi.LeaseStore;
import java.util.List;

/** Each side checks the other by one command and enters by the next. */
public final class SidesLookThenTake extends ReadWriteControl {
  /** Writers do exclude each other. */
  private static final String ENTER =
      """
      local token, ttl, mode = unpack(ARGV)
      if mode == 'w' then
        local key = KEYS[1] .. ':w'
        if not redis.call('SET', key, token, 'NX', 'PX', ttl)
            and redis.call('GET', key) ~= token then
          return math.max(1, redis.call('PTTL', key))
        end
      else
        reader(token, tonumber(ttl))
      end
      if redis.call('GET', KEYS[1] .. ':door') == token then
        redis.call('DEL', KEYS[1] .. ':door')
      end
      return -1
      """;

  @Override
  public String name() {
    return "sides that look, then take";
  }

  @Override
  List<String> tells() {
    return List.of("RW-1");
  }

  @Override
  List<String> breaks() {
    return List.of("RW-1");
  }

  @Override
  List<String> spares() {
    return List.of("RW-4", "RW-5");
  }

  @Override
  public LeaseStore open(String address) {
    return new ReadWriteSketch(address) {
      @Override
      long take(String key, String... arguments) {
        long refused = look(key, arguments);
        return refused == -1 ? redis.script(readers() + ENTER, key, arguments) : refused;
      }
    };
  }
}
