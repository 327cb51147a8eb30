import java.util.Arrays;

final class PinInput {
    private final char[] digits = new char[6];
    private int length;

    void add(char digit) {
        if (length < digits.length) digits[length++] = digit;
    }

    /** Uses the digits once and clears them, whatever happens. */
    void use(java.util.function.Consumer<char[]> use) {
        char[] copy = Arrays.copyOf(digits, length);
        try {
            use.accept(copy);
        } finally {
            Arrays.fill(copy, '\0');
            Arrays.fill(digits, '\0');
            length = 0;
        }
    }
}
