package dev.leasehold.redis.set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.LockStoreException;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.protocol.RedisHandshakeHandler;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A server's refusal of a connection")
class EarlyRefusalTest {
  /**
   * Closes the connection, as the handshake does when the server refuses. An open one would share
   * its endpoint with the next.
   */
  private static final class Closing extends ChannelInboundHandlerAdapter {
    @Override
    public void channelActive(ChannelHandlerContext context) {
      context.close();
    }
  }

  @AutoClose private final TestServer server = ServerKind.EMBEDDED.start();

  @Test
  @DisplayName("is reported, as if the thread that connects had come too late to wait for it")
  void fasterThanItsCaller() {
    Queue<Channel> refused = new ConcurrentLinkedQueue<>();
    NettyCustomizer fast =
        new NettyCustomizer() {
          @Override
          public void afterChannelInitialized(Channel channel) {
            if (refused.isEmpty()) {
              refused.add(channel);
              channel.pipeline().remove(RedisHandshakeHandler.class);
              channel.pipeline().addFirst(new Closing());
            }
          }
        };
    ClientResources resources = ClientResources.builder().nettyCustomizer(fast).build();
    RedisClient client = RedisClient.create(resources);
    try {
      RedisURI uri = RedisURI.create("redis://nobody:wrong@127.0.0.1:" + server.port());
      LockStoreException e =
          assertThrows(LockStoreException.class, () -> RedisSetLocks.over(client, uri).open());
      assertTrue(e.getMessage().contains("WRONGPASS"), e.getMessage());
      refused.clear();
      RedisSetLocks.over(client, RedisURI.create(server.uri())).open().close();
      assertEquals(1, refused.size());
    } finally {
      client.shutdown();
      resources.shutdown(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
    }
  }
}
