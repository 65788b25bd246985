package dev.leasehold.spring.boot;

import dev.leasehold.redis.set.RedisSetBackend;
import dev.leasehold.redis.setnx.RedisSetnxBackend;
import dev.leasehold.redisson.RedissonBackend;
import java.util.function.Function;
import org.redisson.api.RedissonClient;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Looks for the application's Redis clients, where their classes are on the path. */
@Configuration(proxyBeanMethods = false)
class ClientConfigurations {

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({LettuceConnectionFactory.class, RedisSetBackend.class})
  static class Lettuce {
    @Bean
    Clients leaseholdLettuceClients(ObjectProvider<LettuceConnectionFactory> factories) {
      return only(factories, "LettuceConnectionFactory", LettuceClients::on);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({JedisConnectionFactory.class, RedisSetnxBackend.class})
  static class Jedis {
    @Bean
    Clients leaseholdJedisClients(ObjectProvider<JedisConnectionFactory> factories) {
      return only(factories, "JedisConnectionFactory", JedisClients::on);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(JedisConnectionFactory.class)
  @ConditionalOnMissingClass("dev.leasehold.redis.setnx.RedisSetnxBackend")
  static class JedisAlone {
    @Bean
    Clients leaseholdJedisClients(ObjectProvider<JedisConnectionFactory> factories) {
      return missing(factories, "JedisConnectionFactory", "dev.leasehold:lock-redis-setnx");
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({RedissonClient.class, RedissonBackend.class})
  static class Redisson {
    @Bean
    Clients leaseholdRedissonClients(ObjectProvider<RedissonClient> clients) {
      return only(clients, "RedissonClient", RedissonClients::on);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(RedissonClient.class)
  @ConditionalOnMissingClass("dev.leasehold.redisson.RedissonBackend")
  static class RedissonAlone {
    @Bean
    Clients leaseholdRedissonClients(ObjectProvider<RedissonClient> clients) {
      return missing(clients, "RedissonClient", "dev.leasehold:lock-redisson-adapter");
    }
  }

  private static <T> Clients only(
      ObjectProvider<T> found, String name, Function<T, ClientBackend> backend) {
    T one = found.getIfUnique();
    if (one != null) {
      return Clients.on(backend.apply(one));
    }
    return found.stream().findAny().isEmpty()
        ? Clients.none()
        : Clients.unusable(
            "The application has several beans "
                + name
                + ": mark the one that locks should be on @Primary.");
  }

  private static Clients missing(ObjectProvider<?> found, String name, String jar) {
    return found.stream().findAny().isEmpty()
        ? Clients.none()
        : Clients.unusable(
            "The application has a " + name + "; locks on its Redis client need " + jar + ".");
  }
}
