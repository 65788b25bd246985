package dev.leasehold.methods.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Method;
import java.net.URI;
import java.util.List;
import java.util.UUID;
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
  @DisplayName("The content of an argument is never read as a reference")
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

  @Test
  @DisplayName("A parameter as SpEL names it is refused: it would be one lock for all calls")
  void spel() throws Exception {
    Method named = Uses.class.getDeclaredMethod("order", Order.class);
    for (String wrong : List.of("'orders:' + #order.id", "#order", "orders:#p0", "a:#a0:{0.id}")) {
      String refused = refusal(wrong, named, Order.class);
      assertTrue(refused.contains("would be text here"), refused);
      assertTrue(refused.endsWith("write {order}, or {order.id} for a property"), refused);
    }
    for (String text : List.of("C#", "#orders", "#", "room #1", "#{{order}}")) {
      NameTemplate.parse(text, named, List.of(Order.class));
    }
  }

  record Customer(String id, State state) {}

  enum State {
    NEW
  }

  record Order(UUID id, Customer customer, List<String> lines) {
    public long secret() {
      return 1;
    }
  }

  /** As beans are, and entities. */
  static class Account {
    private final Order latest;

    Account(Order latest) {
      this.latest = latest;
    }

    public Order getLatest() {
      return latest;
    }

    public String getURL() {
      return "u";
    }

    public boolean isOpen() {
      return true;
    }

    public int delete() {
      throw new AssertionError("it is no property");
    }
  }

  /** What a class makes of its parameters. */
  interface Uses {
    void order(Order order);

    void account(Account account);
  }

  private static String name(String template, String method, Object argument) throws Exception {
    Method uses = Uses.class.getDeclaredMethod(method, argument.getClass());
    return NameTemplate.parse(template, uses, List.of(argument.getClass()))
        .name(new Object[] {argument});
  }

  private static String refusal(String template, String method, Class<?> type) throws Exception {
    return refusal(template, Uses.class.getDeclaredMethod(method, type), type);
  }

  @Test
  @DisplayName("Properties: record components, getters, and the properties of their results")
  void properties() throws Exception {
    UUID id = new UUID(1, 2);
    Order order = new Order(id, new Customer("c7", State.NEW), List.of());
    assertEquals("orders:" + id, name("orders:{order.id}", "order", order));
    assertEquals("c7/NEW", name("{0.customer.id}/{order.customer.state}", "order", order));
    Account account = new Account(order);
    assertEquals("u:true", name("{account.URL}:{account.open}", "account", account));
    assertEquals("a:c7", name("a:{account.latest.customer.id}", "account", account));
  }

  @Test
  @DisplayName("A missing property is reported in advance, with the existing ones")
  void unknownProperty() throws Exception {
    String refused = refusal("{order.idd}", "order", Order.class);
    assertTrue(refused.startsWith("{order.idd}: " + Order.class.getName() + " has no"), refused);
    assertTrue(refused.endsWith("there are customer, id, lines"), refused);
    refused = refusal("{0.latest.customer.name}", "account", Account.class);
    assertTrue(refused.contains(Customer.class.getName() + " has no property 'name'"), refused);
    assertTrue(refused.endsWith("there are id, state"), refused);
  }

  @Test
  @DisplayName("Nothing but a property is called, and there is no language")
  void noLanguage() throws Exception {
    for (String wrong : List.of("{account.delete}", "{account.class}", "{account.}", "{.open}")) {
      refusal(wrong, "account", Account.class);
    }
    assertTrue(refusal("{order.secret}", "order", Order.class).contains("no property 'secret'"));
    for (String wrong :
        List.of("{account.delete()}", "{account.latest['id']}", "{account. open}")) {
      String refused = refusal(wrong, "account", Account.class);
      assertTrue(refused.contains("no further expressions"), refused);
    }
    assertTrue(
        refusal("#{#order.id}", "order", Order.class)
            .contains("{#order}: a name of SpEL begins with #, and here none does"));
  }

  @Test
  @DisplayName("A value that is not a plain text is refused, also at the end of a path")
  void lastType() throws Exception {
    String refused = refusal("{order.lines}", "order", Order.class);
    assertTrue(
        refused.startsWith("{order.lines} is of type java.util.List, whose text may"), refused);
    refused = refusal("{order}", "order", Order.class);
    assertTrue(refused.contains("name a property of it, as {order.id}"), refused);
  }

  @Test
  @DisplayName("Null on the way is no name")
  void nullOnTheWay() {
    Order order = new Order(new UUID(1, 2), null, List.of());
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class, () -> name("{order.customer.id}", "order", order));
    assertTrue(
        refused.getMessage().contains("customer() for {order.customer.id} is null"),
        refused.getMessage());
  }

  @Test
  @DisplayName("Its accessors are registered, for native images")
  void accessors() throws Exception {
    Method uses = Uses.class.getDeclaredMethod("account", Account.class);
    NameTemplate template =
        NameTemplate.parse("{0.open}:{0.latest.id}", uses, List.of(Account.class));
    assertEquals(
        List.of("isOpen", "getLatest", "id"),
        template.accessors().stream().map(Method::getName).toList());
  }
}
