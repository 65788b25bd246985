package dev.leasehold.redlock.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.leasehold.redlock.model.KindModel.Fault;
import dev.leasehold.redlock.model.KindModel.Found;
import dev.leasehold.redlock.model.KindModel.Role;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A small slice of what {@code mvn -Pmodel} searches of read/write locks and semaphores. */
class KindModelTest {
  static Stream<Arguments> small() {
    return Stream.of(
        arguments(List.of(Role.READS, Role.WRITES), 1),
        arguments(List.of(Role.WRITES, Role.WRITES), 0),
        arguments(List.of(Role.PERMIT, Role.PERMIT), 0));
  }

  @ParameterizedTest
  @MethodSource("small")
  @DisplayName("The whole of a small model is safe")
  void safe(List<Role> roles, int crashes) {
    Found found = new KindModel(roles, Fault.NONE, crashes).run();
    assertEquals("", found.broken());
    assertTrue(found.states() > 5_000, found.toString());
  }

  @ParameterizedTest
  @MethodSource("dev.leasehold.redlock.model.KindModels#faults")
  @DisplayName("One with a fault is not, and there is a shortest way to show it")
  void fault(KindModels one) {
    Found found = one.run();
    assertEquals(one.breaks(), found.broken());
  }
}
