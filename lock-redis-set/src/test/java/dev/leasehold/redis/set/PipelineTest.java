package dev.leasehold.redis.set;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.redis.set.Pipeline.Step;
import io.lettuce.core.RedisException;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.RedisCommand;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Commands in one write")
class PipelineTest {
  private static final byte[] KEY = "x".getBytes(US_ASCII);

  private final List<RedisCommand<byte[], byte[], ?>> leaders = new ArrayList<>();
  private final List<String> redirected = new ArrayList<>();
  private final Pipeline<List<Object>> call =
      new Pipeline<>(
          new Sender() {
            @Override
            public void send(PendingCommand<?> sent) {
              leaders.addAll(sent.leaders());
            }

            @Override
            public boolean redirect(PendingCommand<?> sent, String serverWords) {
              redirected.add(serverWords);
              return serverWords.startsWith("MOVED");
            }
          },
          "look at",
          "x",
          List.of(
              Step.of(CommandType.GET, KEY),
              Step.of(CommandType.TIME),
              Step.of(CommandType.PTTL, KEY)),
          replies -> replies);

  @BeforeEach
  void send() {
    call.send();
    assertEquals(2, leaders.size());
  }

  @Test
  @DisplayName("are all withdrawn where the call fails or is cancelled: none is sent later")
  void withdrawn() {
    call.completeExceptionally(new RedisException("Connection disconnected"));
    assertTrue(leaders.stream().allMatch(RedisCommand::isCancelled));
  }

  @Test
  @DisplayName("fail with the first error")
  void firstError() {
    leaders.get(1).getOutput().setError("ERR no time");
    call.complete();
    String failure = String.valueOf(call.handle((done, thrown) -> thrown).join());
    assertTrue(failure.contains("ERR no time"), failure);
  }

  @Test
  @DisplayName("are redirected if all that have a key are")
  void moved() {
    leaders.get(0).getOutput().setError("MOVED 1 127.0.0.1:1");
    call.getOutput().setError("MOVED 1 127.0.0.1:1");
    call.complete();
    assertEquals(List.of("MOVED 1 127.0.0.1:1"), redirected);
    assertNull(call.getNow(null));
  }

  @Test
  @DisplayName("fail like a script if some keys are on another node")
  void split() {
    leaders.get(0).getOutput().setError("ASK 1 127.0.0.1:1");
    call.complete();
    assertEquals(List.of("TRYAGAIN"), redirected);
    String failure = String.valueOf(call.handle((done, thrown) -> thrown).join());
    assertTrue(failure.contains("the cluster is moving this lock's slot"), failure);
  }
}
