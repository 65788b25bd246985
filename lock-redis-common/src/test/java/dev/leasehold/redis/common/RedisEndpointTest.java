package dev.leasehold.redis.common;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.redis.common.RedisEndpoint.Login;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("lock.redis.uri, read once for every client")
class RedisEndpointTest {

  private static RedisEndpoint of(String... settings) {
    Map<String, String> map = new java.util.HashMap<>();
    for (int i = 0; i < settings.length; i += 2) {
      map.put(settings[i], settings[i + 1]);
    }
    return RedisEndpoint.of(LockSettings.of(map));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "redis://h                     | h:6379",
        "redis://h:1/3                 | h:1",
        "rediss://[::1]:2              | [::1]:2",
        "redis-sentinel://a,b:1#p      | p (Sentinels a:26379, b:1)",
        "redis-socket:///run/a@b.sock  | /run/a@b.sock",
        "redis-socket://u:p@/run/a     | /run/a",
        "redis://u:p@h                 | h:6379"
      })
  @DisplayName("The location is shown without user and password")
  void addresses(String uri, String address) {
    assertEquals(address, of("lock.redis.uri", uri).address());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "redis://u:p@h              | u | p",
        "redis://:p@h               |   | p",
        "redis://p@h                |   | p",
        "redis://u:a:b@h            | u | a:b",
        "redis://u:a@b/c#d?e,f@h    | u | a@b/c#d?e,f",
        "redis://u%3A:p%40%C3%A4@h  | u: | p@ä",
        "redis://u:a+b@h            | u | a+b",
        "redis://u:a%3Fb=c@h        | u | a?b=c",
        "redis://u:a?b@h            | u | a?b"
      })
  @DisplayName(
      "User and password end at the last @, and a password may contain any other" + " character")
  void logins(String uri, String user, String password) {
    assertEquals(
        Optional.of(new Login(Optional.ofNullable(user), password)),
        of("lock.redis.uri", uri).login());
  }

  @Test
  @DisplayName("A password beside the URI goes with the user in it, unless another is set")
  void beside() {
    String[] uri = {"lock.redis.uri", "redis://u:old@h", "lock.redis.password", "new"};
    assertEquals(Optional.of(new Login(Optional.of("u"), "new")), of(uri).login());
    assertEquals(
        Optional.of(new Login(Optional.of("v"), "new")),
        of(uri[0], uri[1], uri[2], uri[3], "lock.redis.username", "v").login());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "redis://u:p%@h       | write the sign itself as %25",
        "redis://u:p%4@h      | write the sign itself as %25",
        "redis://u:%ff@h      | are no UTF-8",
        "redis://u:p@h?db=3   | lock.redis.database",
        "redis://h?password=x | lock.redis.password",
        "redis://h?user=u&a=p@x | write a ? in a password as %3F",
        "redis-socket://run/a | begins with /",
        "redis://h:0          | from 1 to 65535",
        "redis://h:1/x        | the database after the / is a number",
        "redis://h/1/2        | the database after the / is a number",
        "redis://a,b          | lock.redis.cluster = true"
      })
  @DisplayName("Errors name the key, without a password")
  void wrong(String uri, String words) {
    LockConfigurationException e =
        assertThrows(LockConfigurationException.class, () -> of("lock.redis.uri", uri));
    String shown =
        uri.replaceFirst("//h\\?.*@x", "//***")
            .replaceFirst("u:.*@", "***@")
            .replaceFirst("\\?.*", "?***");
    assertTrue(e.getMessage().contains("lock.redis.uri = '" + shown + "' (a map)"), e::toString);
    assertTrue(e.getMessage().contains(words), e::toString);
  }
}
