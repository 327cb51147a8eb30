import { describe, expect, test } from 'vitest'
import { type Body, method } from '#tests/support/code-body.ts'
import { element, type MadePackage } from '#tests/support/detect-package.ts'
import type { WrittenDexClass } from '#tests/support/dex-writer.ts'
import { judgeOne } from '#tests/support/judge-item.ts'
import { writeArsc } from '#tests/support/resource-writer.ts'

const MAIN = 'Lorg/maker/app/Main;'
const HELPER = 'Lorg/maker/app/Helper;'
const ACTIVITY = 'Landroid/app/Activity;'
const BUNDLE = 'onCreate(Landroid/os/Bundle;)V'
const ID = 'android-crypto-ecb'
const NOTED = 'no code of the package uses this'

const encrypts = (body: Body) =>
  void body.static(
    'Ljavax/crypto/Cipher;->getInstance(Ljava/lang/String;)Ljavax/crypto/Cipher;',
    'AES/ECB/PKCS5Padding',
  )
const makes = method('<init>()V')
const activity = (name: string, write: (body: Body) => void = () => {}): WrittenDexClass => ({
  name,
  superclass: ACTIVITY,
  methods: [makes, method(BUNDLE, write)],
})
/** An application with one declared screen, and what is given. */
const app = (main: (body: Body) => void, ...classes: WrittenDexClass[]): MadePackage => ({
  components: [element('activity', { name: '.Main' })],
  classes: [activity(MAIN, main), ...classes],
})
const helper = (...methods: WrittenDexClass['methods'] & object): WrittenDexClass => ({ name: HELPER, methods })
const found = (made: MadePackage) => {
  const { level, findings } = judgeOne(ID, made)
  return findings.length ? [level, findings[0]!.detail.en.includes(NOTED)] : []
}
const USED = ['high', false]
const UNUSED = ['info', true]
const sealing = method('static seal()V', encrypts)
const seal = (body: Body) => void body.static(`${HELPER}->seal()V`)

describe('[DET-03] findings in code that nothing uses are notes', () => {
  const load = `${MAIN}->load(Ljava/lang/String;)V`
  const task: WrittenDexClass = {
    name: HELPER,
    interfaces: ['Ljava/lang/Runnable;'],
    methods: [makes, method('run()V', encrypts)],
  }

  test('a method that a declared screen calls counts, one that nothing calls does not', () => {
    expect(found(app(seal, helper(sealing)))).toEqual(USED)
    expect(found(app(() => {}, helper(sealing)))).toEqual(UNUSED)
  })

  test('of a class that has nothing of Android but known callbacks, it calls those alone', () => {
    const FRAGMENT = 'Landroidx/fragment/app/Fragment;'
    const base: WrittenDexClass = {
      name: FRAGMENT,
      interfaces: ['Landroid/content/ComponentCallbacks;', 'Landroid/view/View$OnCreateContextMenuListener;'],
      methods: [makes, method('onCreateView()V')],
    }
    const page = (...methods: WrittenDexClass['methods'] & object): WrittenDexClass => ({
      name: HELPER,
      superclass: FRAGMENT,
      methods: [makes, ...methods],
    })
    const shows = (body: Body) => {
      body.make(HELPER)
      body.virtual(`${FRAGMENT}->onCreateView()V`, null)
    }
    const count = method('count()V', encrypts)
    expect(found(app(shows, base, page(count)))).toEqual(UNUSED)
    expect(found(app(shows, base, page(method('onLowMemory()V', encrypts))))).toEqual(USED)
    expect(found(app(shows, base, page(method('onCreateView()V', encrypts))))).toEqual(USED)
    const counts = (body: Body) => void body.virtual(`${HELPER}->count()V`, null)
    expect(found(app(shows, base, page(count, method('onCreateView()V', counts))))).toEqual(USED)
    // Another interface of Android may have that method.
    const other = { ...page(count), interfaces: ['Landroid/view/View$OnTouchListener;'] }
    expect(found(app(shows, base, other))).toEqual(USED)
  })

  test('calls among methods that nothing calls do not count', () => {
    const other = { name: 'Lorg/maker/app/Other;', methods: [method('static go()V', seal)] }
    expect(found(app(() => {}, helper(sealing), other))).toEqual(UNUSED)
    expect(found(app((body) => void body.static('Lorg/maker/app/Other;->go()V'), helper(sealing), other))).toEqual(USED)
  })

  test('a call that may mean the method of several classes means those of which objects are made', () => {
    const TASK = 'Lorg/maker/app/Task;'
    const base: WrittenDexClass = {
      name: TASK,
      flags: 0x401,
      methods: [makes, { name: 'work()V', flags: 0x401 }],
    }
    const heir = (name: string, write: (body: Body) => void): WrittenDexClass => ({
      name,
      superclass: TASK,
      methods: [
        method('<init>()V', (body) => void body.super(`${TASK}-><init>()V`, body.parameter(0))),
        method('work()V', write),
      ],
    })
    const quiet = heir('Lorg/maker/app/Quiet;', () => {})
    const loud = heir('Lorg/maker/app/Loud;', seal)
    const works = (name: string) => (body: Body) => void body.virtual(`${TASK}->work()V`, body.make(name))
    const built = (made: string, ...more: WrittenDexClass[]) =>
      found(app(works(made), helper(sealing), base, quiet, loud, ...more))
    expect(built('Lorg/maker/app/Quiet;')).toEqual(UNUSED)
    expect(built('Lorg/maker/app/Loud;')).toEqual(USED)
    // Somebody else makes one, or makes it by its name.
    const maker = (write: (body: Body) => void) => ({
      name: 'Lorg/maker/app/Maker;',
      methods: [method('static go()V', write)],
    })
    const makesLoud = maker((body) => void body.make('Lorg/maker/app/Loud;'))
    expect(built('Lorg/maker/app/Quiet;', makesLoud)).toEqual(UNUSED)
    const goes: WrittenDexClass = {
      ...activity('Lorg/maker/app/Second;', (body) => void body.static('Lorg/maker/app/Maker;->go()V')),
    }
    const second = app(works('Lorg/maker/app/Quiet;'), helper(sealing), base, quiet, loud, makesLoud, goes)
    expect(found({ ...second, components: [...second.components!, element('activity', { name: '.Second' })] })).toEqual(
      USED,
    )
    const named = maker(
      (body) => void body.static('Lorg/maker/app/Main;->load(Ljava/lang/String;)V', 'org.maker.app.Loud'),
    )
    expect(built('Lorg/maker/app/Quiet;', named)).toEqual(USED)
  })

  test('code that the application loads while it runs may use everything', () => {
    const loads = (name: string) => (body: Body) => void body.make(name, '(Ljava/lang/String;)V', null)
    for (const name of ['Ldalvik/system/DexClassLoader;', 'Ldalvik/system/InMemoryDexClassLoader;'])
      expect(found(app(loads(name), helper(sealing)))).toEqual(USED)
    expect(found(app(loads('Ljava/io/File;'), helper(sealing)))).toEqual(UNUSED)
  })

  test('a class that a file of settings names may be made', () => {
    const named = (file: string, content: string) => found({ ...app(() => {}, task), files: { [file]: content } })
    expect(named('assets/parts.json', '{"handler": "org.maker.app.Helper"}')).toEqual(USED)
    expect(named('assets/parts.properties', 'handler=org/maker/app/Helper')).toEqual(USED)
    expect(named('assets/parts.json', '{"handler": "org.maker.app.Other"}')).toEqual(UNUSED)
    expect(named('assets/picture.png', 'org.maker.app.Helper')).toEqual(UNUSED)
  })

  test('a screen that the manifest does not declare never starts, though code names it', () => {
    const second = activity('Lorg/maker/app/Second;', encrypts)
    expect(found(app(() => {}, second))).toEqual(UNUSED)
    const declared = app(() => {}, second)
    expect(
      found({ ...declared, components: [...declared.components!, element('activity', { name: '.Second' })] }),
    ).toEqual(USED)
    // It is the base of a declared one.
    const base: WrittenDexClass = { ...activity(MAIN), superclass: 'Lorg/maker/app/Second;' }
    const starts = method(
      '<init>()V',
      (body) => void body.super('Lorg/maker/app/Second;-><init>()V', body.parameter(0)),
    )
    expect(found({ ...declared, classes: [{ ...base, methods: [starts, method(BUNDLE)] }, second] })).toEqual(USED)
  })

  test('what Android calls on an object counts where the object is made', () => {
    expect(found(app(() => {}, task))).toEqual(UNUSED)
    expect(found(app((body) => void body.make(HELPER), task))).toEqual(USED)
  })

  test('reflection may reach a class whose name code has, and a method whose name goes to who looks for methods', () => {
    expect(found(app((body) => void body.static(load, 'org.maker.app.Helper'), task))).toEqual(USED)
    expect(found(app((body) => void body.static(load, 'org.maker.app.Other'), task))).toEqual(UNUSED)
    const looks = {
      name: 'Lorg/maker/app/Looks;',
      methods: [
        method(
          'static look(Ljava/lang/String;)V',
          (body) =>
            void body.virtual(
              'Ljava/lang/Class;->getMethod(Ljava/lang/String;[Ljava/lang/Class;)Ljava/lang/reflect/Method;',
              null,
              body.parameter(0),
            ),
        ),
      ],
    }
    const names = (name: string) => (body: Body) =>
      void body.static('Lorg/maker/app/Looks;->look(Ljava/lang/String;)V', name)
    expect(found(app(names('seal'), helper(sealing), looks))).toEqual(USED)
    expect(found(app(names('open'), helper(sealing), looks))).toEqual(UNUSED)
    // A word of another sense.
    expect(found(app((body) => void body.static(load, 'seal'), helper(sealing), looks))).toEqual(UNUSED)
  })

  test('a method that many objects have counts where one of its own class is made', () => {
    const step = { name: 'Lorg/maker/app/Step;', flags: 0x601, methods: [{ name: 'go()V', flags: 0x401 }] }
    const of = (name: string, write: (body: Body) => void): WrittenDexClass => ({
      name,
      interfaces: ['Lorg/maker/app/Step;'],
      methods: [makes, method('go()V', write)],
    })
    const goes = (made: string) => (body: Body) => {
      const one = body.make(made)
      body.interface('Lorg/maker/app/Step;->go()V', one)
    }
    const other = of('Lorg/maker/app/Other;', () => {})
    expect(found(app(goes('Lorg/maker/app/Other;'), step, other, of(HELPER, encrypts)))).toEqual(UNUSED)
    expect(found(app(goes(HELPER), step, other, of(HELPER, encrypts)))).toEqual(USED)
  })

  test('a test is run by its name', () => {
    const tests = (superclass: string): WrittenDexClass => ({
      name: HELPER,
      superclass,
      methods: [makes, method('testIt()V', encrypts)],
    })
    expect(found(app(() => {}, tests('Landroid/test/AndroidTestCase;')))).toEqual(USED)
    const junit = { name: 'Ljunit/framework/Test;', flags: 0x601, methods: [] }
    const base = { name: 'Ljunit/framework/TestCase;', interfaces: ['Ljunit/framework/Test;'], methods: [makes] }
    expect(found(app(() => {}, junit, base, tests('Ljunit/framework/TestCase;')))).toEqual(USED)
  })

  test('annotations, files of services and native code may reach what no call reaches', () => {
    const made = app(() => {}, task)
    expect(found({ ...made, files: { 'META-INF/services/java.lang.Runnable': 'org.maker.app.Helper\n' } })).toEqual(
      USED,
    )
    const native = { name: 'open()V', flags: 0x101 }
    expect(found(app(() => {}, helper(sealing, native)))).toEqual(USED)
  })

  test('an annotation makes a method callable where Android or code of the package looks for it', () => {
    const marked = (name: string) => ({ ...sealing, annotations: [name] })
    expect(found(app(() => {}, helper(marked('Lorg/bus/Subscribe;'))))).toEqual(USED)
    const Beta = 'Lorg/maker/app/Beta;'
    const annotation: WrittenDexClass = { name: Beta, flags: 0x2601, interfaces: ['Ljava/lang/annotation/Annotation;'] }
    expect(found(app(() => {}, helper(marked(Beta)), annotation))).toEqual(UNUSED)
    const looks = (body: Body) => void body.make(Beta)
    expect(found(app(looks, helper(marked(Beta)), annotation))).toEqual(USED)
  })

  test('where methods are called by name, or part of the code is missing, nothing is said', () => {
    const made = app(() => {}, helper(sealing))
    const engine = { name: 'Lanywheresoftware/b4a/BA;', methods: [] }
    expect(found({ ...made, classes: [...made.classes!, engine] })).toEqual(USED)
    expect(found({ ...made, manifest: { split: 'feature' } })).toEqual(USED)
    // No class of the manifest has code.
    expect(found({ classes: [helper(sealing)] })).toEqual(USED)
  })

  test('a method that a subclass brings to an interface of Android is called through it', () => {
    const base = { name: HELPER, methods: [makes, method('run()V', encrypts)] }
    const TASK = 'Lorg/maker/app/Task;'
    const superCall = (body: Body) => void body.super(`${HELPER}-><init>()V`, body.parameter(0))
    const task = (interfaces: string[]): WrittenDexClass => ({
      name: TASK,
      superclass: HELPER,
      interfaces,
      methods: [method('<init>()V', superCall)],
    })
    const starts = (body: Body) => void body.make(TASK)
    expect(found(app(starts, base, task(['Ljava/lang/Runnable;'])))).toEqual(USED)
    expect(found(app(starts, base, task([])))).toEqual(UNUSED)
  })

  test('the body of a lambda that no call reaches may be reached by invoke-custom', () => {
    const body = method('static lambda$go$0()V', encrypts)
    expect(found(app(() => {}, helper(body)))).toEqual(USED)
    const caller = method('static go()V', (code) => void code.static(`${HELPER}->lambda$go$0()V`))
    expect(found(app(() => {}, helper(body, caller)))).toEqual(UNUSED)
  })

  test('native code may call a class that it names, and make objects of it', () => {
    const library = (name: string) => ({ 'lib/arm64-v8a/liba.so': Buffer.from(`\x7fELF\0seal\0${name}\0()V\0`) })
    const made = app(() => {}, helper(sealing))
    expect(found({ ...made, files: library('org/maker/app/Helper') })).toEqual(USED)
    expect(found({ ...made, files: library('org/maker/app/Other') })).toEqual(UNUSED)
  })

  test('an object may come out of bytes, or out of JSON where a field has its type', () => {
    const restore = { ...method('readObject(Ljava/io/ObjectInputStream;)V', encrypts), flags: 2 }
    const stored: WrittenDexClass = {
      name: HELPER,
      interfaces: ['Ljava/io/Serializable;'],
      methods: [makes, restore],
    }
    const reads = (body: Body) => void body.virtual('Ljava/io/ObjectInputStream;->readObject()Ljava/lang/Object;', null)
    expect(found(app(reads, stored))).toEqual(USED)
    expect(found(app(() => {}, stored))).toEqual(UNUSED)
    const go = `${HELPER}->go()V`
    const model = { name: HELPER, methods: [makes, method('go()V', encrypts)] }
    const answer = { name: 'Lorg/maker/app/Answer;', instanceFields: [`one:${HELPER}`], methods: [makes] }
    const calls = (body: Body) => void body.virtual(go, null)
    const parses = (body: Body) => {
      calls(body)
      body.virtual('Ljava/lang/reflect/Field;->getType()Ljava/lang/Class;', null)
    }
    expect(found(app(parses, model, answer))).toEqual(USED)
    expect(found(app(calls, model, answer))).toEqual(UNUSED)
    // Of an abstract class only its heirs have objects.
    const base = { ...model, flags: 0x401 }
    const heir: WrittenDexClass = {
      name: 'Lorg/maker/app/Heir;',
      superclass: HELPER,
      methods: [method('<init>()V', (body) => void body.super(`${HELPER}-><init>()V`, body.parameter(0)))],
    }
    const makesHeir = (body: Body) => {
      parses(body)
      body.make('Lorg/maker/app/Heir;')
    }
    expect(found(app(parses, base, answer))).toEqual(UNUSED)
    expect(found(app(makesHeir, base, heir, answer))).toEqual(USED)
  })

  test('a class that a static field or the resource table names may be made, and every one where there are more files than are read', () => {
    const holder = (value: string): WrittenDexClass => ({
      name: 'Lorg/maker/app/Names;',
      methods: [],
      staticFields: [{ name: 'task:Ljava/lang/String;', value }],
    })
    expect(found(app(() => {}, task, holder('org.maker.app.Helper')))).toEqual(USED)
    expect(found(app(() => {}, task, holder('org.maker.app.Other')))).toEqual(UNUSED)
    const table = (value: string) => ({
      'resources.arsc': writeArsc({ types: [{ name: 'string', entries: { 0: { key: 'task', value } } }] }),
    })
    expect(found({ ...app(() => {}, task), files: table('org.maker.app.Helper') })).toEqual(USED)
    expect(found({ ...app(() => {}, task), files: table('org.maker.app.Other') })).toEqual(UNUSED)
    const files = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, i) => [`META-INF/services/org.other.A${i}`, 'org.other.B\n']),
      )
    expect(found({ ...app(() => {}, task), files: files(500) })).toEqual(UNUSED)
    expect(found({ ...app(() => {}, task), files: files(501) })).toEqual(USED)
  })

  test('who gets a class and looks for methods by a name that is no constant may call each of its methods', () => {
    const look = 'Ljava/lang/Class;->getMethod(Ljava/lang/String;[Ljava/lang/Class;)Ljava/lang/reflect/Method;'
    const finds = (named: boolean) =>
      method('find(Ljava/lang/String;)V', (body) => void body.virtual(look, null, named ? 'open' : body.parameter(1)))
    const main = (named: boolean, write: (body: Body) => void): MadePackage => {
      const { classes, ...more } = app(write, helper(sealing))
      const [first, ...others] = classes!
      return { ...more, classes: [{ ...first!, methods: [...first!.methods!, finds(named)] }, ...others] }
    }
    const names = (body: Body) => void body.static(load, 'org.maker.app.Helper')
    expect(found(main(false, names))).toEqual(USED)
    expect(found(main(true, names))).toEqual(UNUSED)
    expect(found(main(false, () => {}))).toEqual(UNUSED)
  })

  test('who has an abstract class makes no objects of it: only its heirs do', () => {
    const server = (flags: number): WrittenDexClass => ({ ...task, flags })
    // As `assert` of an inner class asks its outer one.
    const asks = (body: Body) =>
      void body.virtual('Ljava/lang/Class;->desiredAssertionStatus()Z', body.classObject(HELPER))
    expect(found(app(asks, server(0x401)))).toEqual(UNUSED)
    expect(found(app(asks, server(0x1)))).toEqual(USED)
    const heir: WrittenDexClass = {
      name: 'Lorg/maker/app/Heir;',
      superclass: HELPER,
      methods: [method('<init>()V', (body) => void body.super(`${HELPER}-><init>()V`, body.parameter(0)))],
    }
    expect(found(app((body) => void body.make('Lorg/maker/app/Heir;'), server(0x401), heir))).toEqual(USED)
    expect(found(app(asks, server(0x401), heir))).toEqual(UNUSED)
  })

  test('a secret stays one: who unpacks the package has it', () => {
    const key = `AKIA${'Q7Z2LM9XC4VB8RT3'}`
    const holder = helper(
      method('static seal()V', (body) => void body.static(`${MAIN}->load(Ljava/lang/String;)V`, key)),
    )
    expect(
      judgeOne(
        'android-secret-aws-ak',
        app(() => {}, holder),
      ).level,
    ).toBe('high')
  })
})
