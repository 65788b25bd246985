/** Says that something is going on, while Maven (run with -q) builds without a word. */
final class Building {
  private Building() {}

  public static void main(String[] args) {
    System.out.println(
        "Building Leasehold without its tests; the first time this downloads 100 MB and takes a"
            + " minute or two.");
  }
}
