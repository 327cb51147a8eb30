import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URL;

final class OrderSearch {
    private OrderSearch() {}

    /** Everything personal is in the body; the address says only what is asked. */
    static int ask(String token, byte[] json) throws IOException {
        HttpURLConnection http = (HttpURLConnection) new URL("https://api.example.com/v1/orders/search").openConnection();
        http.setRequestMethod("POST");
        http.setRequestProperty("Authorization", "Bearer " + token);
        http.setRequestProperty("Content-Type", "application/json");
        http.setDoOutput(true);
        http.getOutputStream().write(json);
        return http.getResponseCode();
    }
}
