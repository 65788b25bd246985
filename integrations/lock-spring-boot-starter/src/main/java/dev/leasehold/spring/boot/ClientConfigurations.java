package dev.leasehold.spring.boot;

import dev.leasehold.redis.set.RedisSetBackend;
import dev.leasehold.redis.setnx.RedisSetnxBackend;
import dev.leasehold.redisson.RedissonBackend;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.redisson.api.RedissonClient;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Finds the application's Redis clients, if their classes are on the path. */
@Configuration(proxyBeanMethods = false)
class ClientConfigurations {

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({LettuceConnectionFactory.class, RedisSetBackend.class})
  static class Lettuce {
    @Bean
    Clients leaseholdLettuceClients(ObjectProvider<RedisConnectionFactory> factories) {
      return only(factories, LettuceConnectionFactory.class, LettuceClients::on);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(LettuceConnectionFactory.class)
  @ConditionalOnMissingClass("dev.leasehold.redis.set.RedisSetBackend")
  static class LettuceAlone {
    @Bean
    Clients leaseholdLettuceClients(ObjectProvider<RedisConnectionFactory> factories) {
      return missing(
          factories.stream().anyMatch(LettuceConnectionFactory.class::isInstance),
          "LettuceConnectionFactory",
          "dev.leasehold:lock-redis-set");
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({JedisConnectionFactory.class, RedisSetnxBackend.class})
  static class Jedis {
    @Bean
    Clients leaseholdJedisClients(ObjectProvider<RedisConnectionFactory> factories) {
      return only(factories, JedisConnectionFactory.class, JedisClients::on);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(JedisConnectionFactory.class)
  @ConditionalOnMissingClass("dev.leasehold.redis.setnx.RedisSetnxBackend")
  static class JedisAlone {
    @Bean
    Clients leaseholdJedisClients(ObjectProvider<RedisConnectionFactory> factories) {
      return missing(
          factories.stream().anyMatch(JedisConnectionFactory.class::isInstance),
          "JedisConnectionFactory",
          "dev.leasehold:lock-redis-setnx");
    }
  }

  /** Reports connection factories of other kinds, instead of silently using a default Redis. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(RedisConnectionFactory.class)
  static class Others {
    @Bean
    Clients leaseholdOtherClients(ObjectProvider<RedisConnectionFactory> factories) {
      List<String> sentences =
          factories.stream()
              .filter(factory -> !(factory instanceof LettuceConnectionFactory))
              .filter(factory -> !(factory instanceof JedisConnectionFactory))
              .map(
                  factory ->
                      "The application has a "
                          + factory.getClass().getName()
                          + ", a connection factory that locks can't be on.")
              .toList();
      return new Clients(List.of(), sentences);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({RedissonClient.class, RedissonBackend.class})
  static class Redisson {
    @Bean
    Clients leaseholdRedissonClients(ObjectProvider<RedissonClient> clients) {
      return only(
          clients.getIfUnique(), clients.stream().toList(), "RedissonClient", RedissonClients::on);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(RedissonClient.class)
  @ConditionalOnMissingClass("dev.leasehold.redisson.RedissonBackend")
  static class RedissonAlone {
    @Bean
    Clients leaseholdRedissonClients(ObjectProvider<RedissonClient> clients) {
      return missing(
          clients.stream().findAny().isPresent(),
          "RedissonClient",
          "dev.leasehold:lock-redisson-adapter");
    }
  }

  /** By the runtime type of each factory: a bean method may declare the interface only. */
  private static <T extends RedisConnectionFactory> Clients only(
      ObjectProvider<RedisConnectionFactory> factories,
      Class<T> type,
      Function<T, ClientBackend> backend) {
    RedisConnectionFactory one = factories.getIfUnique();
    List<T> all = factories.stream().filter(type::isInstance).map(type::cast).toList();
    return only(type.isInstance(one) ? type.cast(one) : null, all, type.getSimpleName(), backend);
  }

  private static <T> Clients only(
      @Nullable T unique, List<T> all, String name, Function<T, ClientBackend> backend) {
    T one = unique == null && all.size() == 1 ? all.get(0) : unique;
    if (one != null) {
      return Clients.on(backend.apply(one));
    }
    return all.isEmpty()
        ? Clients.none()
        : Clients.unusable(
            "The application has several beans "
                + name
                + ": mark the one to use for locks as @Primary.");
  }

  private static Clients missing(boolean there, String name, String jar) {
    return there
        ? Clients.unusable(
            "The application has a " + name + "; locks on its Redis client need " + jar + ".")
        : Clients.none();
  }
}
