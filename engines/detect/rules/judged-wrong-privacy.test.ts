import { describe, expect, test } from 'vitest'
import { type Argument, type Body, method } from '#tests/support/code-body.ts'
import { element, type MadePackage } from '#tests/support/detect-package.ts'
import { judgeOne } from '#tests/support/judge-item.ts'
import { code, MAIN, uses, verdictOf } from '#tests/support/made-code.ts'

const STRING = 'Ljava/lang/String;'
const INTENT = 'Landroid/content/Intent;'
const PERSON = 'Landroid/provider/ContactsContract$Data;->CONTENT_URI:Landroid/net/Uri;'
const QUERY = `Landroid/content/ContentResolver;->query(Landroid/net/Uri;[${STRING}${STRING}[${STRING}${STRING})Landroid/database/Cursor;`

/** Kinds of findings that were read and judged wrong (docs/detection-judgements.tsv), each beside one that is right. */
describe('DET-03 findings about personal information that were judged wrong', () => {
  test('a permission that Android implies was not requested by anyone', () => {
    const asked = (targetSdk: number) =>
      judgeOne('android-permission-overprivilege', {
        ...uses('READ_CONTACTS'),
        minSdk: 14,
        targetSdk,
        classes: [{ name: MAIN, methods: [method('run()V')] }],
      }).findings.map(({ detail }) => detail.en.split(' ')[0])
    // Below 16 the right to read contacts brings the right to read calls.
    expect(asked(15)).toEqual(['android.permission.READ_CONTACTS'])
    expect(asked(16)).toEqual(['android.permission.READ_CONTACTS'])
  })

  test('a frame around a text field is no field', () => {
    const screen = (name: string): MadePackage => ({
      components: [element('activity', { name: '.Main' })],
      xml: { 'res/layout/a.xml': element('LinearLayout', {}, element(name, { hint: 'Card number' })) },
    })
    expect(verdictOf('android-keyboard-cache', screen('com.google.android.material.textfield.TextInputLayout'))).toBe(
      'pass',
    )
    expect(verdictOf('android-keyboard-cache', screen('com.google.android.material.textfield.TextInputEditText'))).toBe(
      'fail',
    )
  })

  test("WorkManager's own data is no input, whatever its classes are called", () => {
    const reading = (message: string) =>
      code((body) => {
        body.virtual('Ljava/io/ObjectInputStream;->readObject()Ljava/lang/Object;', body.parameter(1))
        body.static('Landroid/util/Log;->e(Ljava/lang/String;Ljava/lang/String;)I', 'WM-Data', message)
      })
    expect(verdictOf('android-unsafe-deserialization', reading('broken'))).toBe('fail')
    expect(verdictOf('android-unsafe-deserialization', reading('Error in Data#fromByteArray: '))).toBe('pass')
  })

  test('a stream that refuses classes in resolveClass is a filter, one that only looks for them elsewhere is not', () => {
    const STREAM = 'Lorg/app/CheckedStream;'
    const reading = (refuses: boolean): MadePackage => ({
      classes: [
        {
          name: STREAM,
          superclass: 'Ljava/io/ObjectInputStream;',
          methods: [
            method('resolveClass(Ljava/io/ObjectStreamClass;)Ljava/lang/Class;', (body) => {
              if (refuses) body.make('Ljava/lang/ClassNotFoundException;')
              body.static('Ljava/lang/Class;->forName(Ljava/lang/String;)Ljava/lang/Class;', 'org.app.List')
            }),
          ],
        },
        {
          name: MAIN,
          methods: [
            method('run(Ljava/io/InputStream;)V', (body) => {
              const stream = body.make(STREAM, '(Ljava/io/InputStream;)V', body.parameter(1))
              body.virtual('Ljava/io/ObjectInputStream;->readObject()Ljava/lang/Object;', stream)
            }),
          ],
        },
      ],
    })
    expect(verdictOf('android-unsafe-deserialization', reading(false))).toBe('fail')
    expect(verdictOf('android-unsafe-deserialization', reading(true))).toBe('pass')
  })

  test('classes of DataEye are those of a library', () => {
    const print = (body: Body) => {
      for (let n = 0; n < 21; n++) body.virtual('Ljava/lang/Throwable;->printStackTrace()V', body.parameter(1))
    }
    const prints = (name: string): MadePackage => ({
      classes: [{ name, methods: [method('run(Ljava/lang/Exception;)V', print)] }],
    })
    expect(verdictOf('android-print-stack-trace', prints('Lcom/dataeye/monitor/D;'))).toBe('pass')
    expect(verdictOf('android-print-stack-trace', prints(MAIN))).toBe('fail')
  })

  describe('contacts', () => {
    const id = 'android-privacy-contacts'
    const asks = (name: string, files: Record<string, string>, where: (body: Body) => Argument = () => null) =>
      judgeOne(id, {
        ...uses('READ_CONTACTS', 'INTERNET'),
        files,
        classes: [
          {
            name,
            methods: [
              method(`ask(${INTENT})V`, (body) => {
                const address = body.field(PERSON)
                body.virtual(QUERY, null, address, null, where(body))
              }),
            ],
          },
        ],
      })

    test('one that the person picks is no collection, a list of them is', () => {
      const picked = (body: Body) => {
        const address = body.virtual(`${INTENT}->getData()Landroid/net/Uri;`, body.parameter(1))
        return body.virtual(`Landroid/net/Uri;->getLastPathSegment()${STRING}`, address)
      }
      expect(asks(MAIN, {}, picked).verdict).toBe('pass')
      expect(asks(MAIN, {}, () => 'has_phone_number=1').level).toBe('high')
      expect(asks(MAIN, {}).level).toBe('high')
    })

    test.each([
      ['navigator.contacts.pickContact(take)', 'info'],
      ['navigator.contacts.pickContact(take); navigator.contacts.find(["*"], send)', 'high'],
      ['var all = navigator.contacts; all.find(["*"], send)', 'high'],
      ['navigator["contacts"].pickContact(take)', 'high'],
      ['navigator.contacts.pickContact(take); $cordovaContacts.find({})', 'high'],
      ['navigator.contacts.pickContact(take); var n=navigator;n.contacts.find(["*"],send)', 'high'],
      ['navigator.contacts.pickContact(take); window["navigator"].contacts.find(["*"], send)', 'high'],
      ['navigator.contacts.pickContact(take); const { contacts } = navigator; contacts.find(["*"], send)', 'high'],
      ['navigator.contacts.pickContact(take); cordova.exec(send, fail, "Contacts", "search", [["*"]])', 'high'],
      [
        'navigator.contacts.pickContact(take); scope.contacts.push(one); if (typeof navigator == "object") go()',
        'info',
      ],
      ['start()', 'high'],
    ])("Cordova's plug-in behind a script with %s: %s", (script, level) => {
      const files: Record<string, string> = {
        'assets/www/js/app.js': script,
        'assets/www/lib/ng-cordova.js': 'navigator.contacts.find(fields, done)',
      }
      expect(asks('Lorg/apache/cordova/contacts/ContactAccessorSdk5;', files).level).toBe(level)
      expect(asks(MAIN, files).level).toBe('high')
      // What a script from elsewhere asks for is not in the package.
      const remote = { ...files, 'assets/www/index.html': '<script async src="https://maker.org/a.js"></script>' }
      expect(asks('Lorg/apache/cordova/contacts/ContactAccessorSdk5;', remote).level).toBe('high')
    })
  })
})
