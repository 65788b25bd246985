package dev.leasehold.spring.boot;

import dev.leasehold.testkit.server.RedisServer;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** Applications as users have them: all auto-configuration, and their own beans. */
final class Apps {
  private Apps() {}

  /** What every application has. */
  @EnableAutoConfiguration
  static class Application {}

  static ConfigurableApplicationContext start(
      RedisServer server, List<String> properties, Class<?>... beans) {
    List<String> arguments = new ArrayList<>();
    arguments.add("--spring.data.redis.host=127.0.0.1");
    arguments.add("--spring.data.redis.port=" + server.port());
    arguments.add("--spring.data.redis.client-name=the-application");
    properties.forEach(property -> arguments.add("--" + property));
    return new SpringApplicationBuilder(Application.class)
        .sources(beans)
        .web(WebApplicationType.NONE)
        .bannerMode(Banner.Mode.OFF)
        .logStartupInfo(false)
        .registerShutdownHook(false)
        .run(arguments.toArray(String[]::new));
  }

  /** Names of the connections that the server has, but the kit's own. */
  static List<String> connections(RedisServer server) {
    return String.valueOf(server.call("CLIENT", "LIST"))
        .lines()
        .filter(line -> line.contains(" name=") && !line.contains("cmd=client"))
        .map(line -> line.replaceAll(".* name=(\\S*) .*", "$1"))
        .toList();
  }
}
