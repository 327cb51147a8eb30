import java.io.IOException;
import java.io.InputStream;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.xml.sax.SAXException;

final class PlainXml {
    private PlainXml() {}

    /** A document without a DTD; one that has a DTD is refused. */
    static Document parse(InputStream input) throws IOException, SAXException, ParserConfigurationException {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        // The parser of Android throws on these names; it loads no external entities by default.
        if (!"Dalvik".equals(System.getProperty("java.vm.name"))) {
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
        }
        Document document = factory.newDocumentBuilder().parse(input);
        if (document.getDoctype() != null) throw new SAXException("a DTD is not allowed");
        return document;
    }
}
