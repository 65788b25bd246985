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
    ClientBeans leaseholdLettuceClients(ObjectProvider<RedisConnectionFactory> factories) {
      return only(factories, LettuceConnectionFactory.class, LettuceClients::on);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(LettuceConnectionFactory.class)
  @ConditionalOnMissingClass("dev.leasehold.redis.set.RedisSetBackend")
  static class LettuceAlone {
    @Bean
    ClientBeans leaseholdLettuceClients(ObjectProvider<RedisConnectionFactory> factories) {
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
    ClientBeans leaseholdJedisClients(ObjectProvider<RedisConnectionFactory> factories) {
      return only(factories, JedisConnectionFactory.class, JedisClientBeans::on);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(JedisConnectionFactory.class)
  @ConditionalOnMissingClass("dev.leasehold.redis.setnx.RedisSetnxBackend")
  static class JedisAlone {
    @Bean
    ClientBeans leaseholdJedisClients(ObjectProvider<RedisConnectionFactory> factories) {
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
    ClientBeans leaseholdOtherClients(ObjectProvider<RedisConnectionFactory> factories) {
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
      return new ClientBeans(List.of(), sentences);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({RedissonClient.class, RedissonBackend.class})
  static class Redisson {
    @Bean
    ClientBeans leaseholdRedissonClients(ObjectProvider<RedissonClient> clients) {
      return only(
          clients.getIfUnique(),
          clients.stream().toList(),
          "RedissonClient",
          RedissonClientBeans::on);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(RedissonClient.class)
  @ConditionalOnMissingClass("dev.leasehold.redisson.RedissonBackend")
  static class RedissonAlone {
    @Bean
    ClientBeans leaseholdRedissonClients(ObjectProvider<RedissonClient> clients) {
      return missing(
          clients.stream().findAny().isPresent(),
          "RedissonClient",
          "dev.leasehold:lock-redisson-adapter");
    }
  }

  /** By the runtime type of each factory: a bean method may declare the interface only. */
  private static <T extends RedisConnectionFactory> ClientBeans only(
      ObjectProvider<RedisConnectionFactory> factories,
      Class<T> type,
      Function<T, ClientBackend> backend) {
    RedisConnectionFactory one = factories.getIfUnique();
    List<T> all = factories.stream().filter(type::isInstance).map(type::cast).toList();
    return only(type.isInstance(one) ? type.cast(one) : null, all, type.getSimpleName(), backend);
  }

  private static <T> ClientBeans only(
      @Nullable T unique, List<T> all, String name, Function<T, ClientBackend> backend) {
    T one = unique == null && all.size() == 1 ? all.get(0) : unique;
    if (one != null) {
      return ClientBeans.on(backend.apply(one));
    }
    return all.isEmpty()
        ? ClientBeans.none()
        : ClientBeans.unusable(
            "The application has several beans "
                + name
                + ": mark the one to use for locks as @Primary.");
  }

  private static ClientBeans missing(boolean there, String name, String jar) {
    return there
        ? ClientBeans.unusable(
            "The application has a " + name + "; locks on its Redis client need " + jar + ".")
        : ClientBeans.none();
  }
}
