/** Leasehold in Spring Boot: see {@link dev.leasehold.spring.boot}. */
// The jars of Spring and of the clients are automatic modules, whose dependencies are not resolved
// automatically.
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"})
module dev.leasehold.spring.boot {
  requires transitive dev.leasehold.lock;
  requires transitive dev.leasehold.methods;
  requires java.logging;
  requires spring.aop;
  requires spring.beans;
  requires spring.boot;
  requires spring.boot.autoconfigure;
  requires spring.context;
  requires spring.core;
  requires static com.fasterxml.jackson.annotation; // named by the health indicators' types
  requires static dev.leasehold.micrometer;
  requires static dev.leasehold.redis.set;
  requires static dev.leasehold.redis.setnx;
  requires static dev.leasehold.redisson;
  requires static lettuce.core;
  requires static micrometer.core;
  requires static micrometer.observation;
  requires static org.jspecify;
  requires static redis.clients.jedis;
  requires static redisson;
  requires static spring.boot.actuator;
  requires static spring.boot.actuator.autoconfigure;
  requires static spring.boot.health;
  requires static spring.data.redis;

  exports dev.leasehold.spring.boot;

  // Spring instantiates classes that are not exported.
  opens dev.leasehold.spring.boot to
      spring.beans,
      spring.boot,
      spring.boot.actuator,
      spring.context,
      spring.core;
}
