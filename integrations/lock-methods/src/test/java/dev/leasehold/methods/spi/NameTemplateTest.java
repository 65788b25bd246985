package dev.leasehold.methods.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Method;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The name of a @Locked method's lock")
class NameTemplateTest {
  /** The JDK is compiled without -parameters. */
  private static Method nameless() throws NoSuchMethodException {
    return String.class.getMethod("concat", String.class);
  }

  private static String refusal(String name, Method method, Class<?>... types) {
    return String.valueOf(
        assertThrows(
                IllegalArgumentException.class,
                () -> NameTemplate.parse(name, method, List.of(types)))
            .getMessage());
  }

  @Test
  @DisplayName("A class without parameter names takes indexes, and says so")
  void withoutNames() throws Exception {
    String refused = refusal("a:{str}", nameless(), String.class);
    assertTrue(refused.contains("compiled without -parameters: write {0}"), refused);
    NameTemplate byIndex = NameTemplate.parse("a:{0}", nameless(), List.of(String.class));
    assertEquals("a:7", byIndex.name(new Object[] {"7"}));
  }

  @Test
  @DisplayName("What an argument contains is never read as a reference")
  void argumentsAreText() throws Exception {
    NameTemplate template = NameTemplate.parse("a:{0}:{0}", nameless(), List.of(String.class));
    assertEquals("a:{0}}:{0}}", template.name(new Object[] {"{0}}"}));
  }

  @Test
  @DisplayName("A URI is refused: equal ones may be spelt differently, and would be two locks")
  void equalWithOtherText() throws Exception {
    assertEquals(URI.create("HTTP://A/"), URI.create("http://a/"));
    assertTrue(refusal("{0}", nameless(), URI.class).contains("text may differ for equal values"));
  }

  @Test
  @DisplayName("Odd references are refused")
  void odd() throws Exception {
    for (String wrong : List.of("{}", "{-1}", "{00000000000}", "{0 }", "{ 0}", "{{0}", "{0}}")) {
      refusal(wrong, nameless(), String.class);
    }
    assertTrue(refusal("{1}", nameless(), String.class).contains("the parameters are 1"));
  }
}
