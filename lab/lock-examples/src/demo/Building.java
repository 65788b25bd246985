/** Prints that a build is running, since Maven with -q prints nothing. */
final class Building {
  private Building() {}

  public static void main(String[] args) {
    System.out.println(
        "Building Leasehold without its tests; the first time this downloads 100 MB and takes a"
            + " minute or two.");
  }
}
