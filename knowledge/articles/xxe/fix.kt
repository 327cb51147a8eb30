fun titles(input: InputStream): List<String> {
    val parser = Xml.newPullParser().apply { setInput(input, null) }
    val found = mutableListOf<String>()
    while (parser.next() != XmlPullParser.END_DOCUMENT)
        if (parser.eventType == XmlPullParser.START_TAG && parser.name == "title") found += parser.nextText()
    return found
}
