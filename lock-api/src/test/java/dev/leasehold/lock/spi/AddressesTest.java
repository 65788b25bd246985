package dev.leasehold.lock.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Addresses, as messages show them")
class AddressesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "redis://host:6379 redis://host:6379",
        "redis://user:secret@host redis://***@host",
        "redis://user:se@cret@host redis://***@host",
        "redis://user:se?cret@host redis://***@host",
        "redis://host?password=secret redis://host?***",
        "redis://host?password=se@cret redis://***",
        "redis://host?user=me&password=se?c@ret redis://***",
        "redis://host/3?timeout=2s&password=secret redis://host/3?***",
        "redis://user:se?c=ret@host redis://***",
        "redis://user:se%3Fc=ret@host redis://***",
        "redis://user:secret@host?password=se@cret redis://***",
        "redis://user:secret@host?password=secret redis://***@host?***",
        "redis://host?secret redis://host?***",
        "redis://host%3Fpassword%3Dsecret redis://host?***",
        "redis://host&password=secret redis://host?***",
        "redis://host&password=se@cret redis://***",
        "redis-socket:///run/redis.sock redis-socket:///run/redis.sock",
        "redis-sentinel://a:1,b:2#primary redis-sentinel://a:1,b:2#primary",
        "redis://a:1?auth=x,redis://b:secret@c redis://***",
        "host:6379 host:6379"
      })
  @DisplayName("have neither user nor password, also where options name them")
  void masked(String address, String shown) {
    assertEquals(shown, Addresses.masked(address));
    assertEquals(shown.replace("***@", "").replace("?***", ""), Addresses.place(address));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "redis://u:p@host:6379/3 host:6379/3",
        "REDISS://host host",
        "redis-socket:///run/redis.sock /run/redis.sock",
        "host:6379 host:6379"
      })
  @DisplayName("have no scheme if only the host is given")
  void host(String address, String host) {
    assertEquals(host, Addresses.host(address));
  }

  @Test
  @DisplayName("are separated by commas, which a password may also contain")
  void several() {
    assertEquals(
        List.of("redis://u:a,b@h", "rediss://i", "redis://j"),
        Addresses.several("redis://u:a,b@h, rediss://i,redis://j"));
    assertEquals(List.of("redis://h", "", "redis://i"), Addresses.several("redis://h,,redis://i"));
  }
}
