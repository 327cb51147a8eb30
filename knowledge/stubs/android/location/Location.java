package android.location;

public class Location {
    public boolean isMock() { return false; }
    public boolean isFromMockProvider() { return false; }
}
