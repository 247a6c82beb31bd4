import { readFile } from 'node:fs/promises'

/** What asks at a terminal. */
export interface Terminal {
  readonly input: Pick<NodeJS.ReadStream, 'isTTY' | 'setRawMode' | 'on' | 'off' | 'resume' | 'pause'>
  readonly output: { write(text: string): unknown }
}

interface Sources {
  /** The file that an option named. */
  readonly file: string | undefined
  /** The value of BACKUP_PASSPHRASE. */
  readonly given: string | null
}

/** A shorter one is soon guessed, however slow a guess is. */
const minLength = 12
const thisTerminal: Terminal = { input: process.stdin, output: process.stderr }

/** The passphrase of a backup that is to be made. */
export async function newPassphrase(sources: Sources, terminal = thisTerminal): Promise<string> {
  const passphrase = await passphraseOf(sources, terminal)
  if (passphrase.length < minLength) throw new Error(`the passphrase needs at least ${minLength} characters`)
  const isTyped = sources.file === undefined && sources.given === null
  if (isTyped && (await ask(terminal, 'The same again: ')) !== passphrase) throw new Error('they are not the same')
  return passphrase
}

/**
 * From a file, the environment or a terminal. Never from an argument, since everybody on the machine can read those.
 * @throws Error where there is none of them
 */
export async function passphraseOf({ file, given }: Sources, terminal = thisTerminal): Promise<string> {
  if (file !== undefined) return (await readFile(file, 'utf8')).replace(/\r?\n$/, '')
  if (given !== null) return given
  if (terminal.input.isTTY) return ask(terminal, 'Passphrase of the backup: ')
  throw new Error(
    'a passphrase is needed: name a file with --passphrase-file, set BACKUP_PASSPHRASE, or use a terminal',
  )
}

/** Reads a line without showing it. */
function ask({ input, output }: Terminal, question: string): Promise<string> {
  output.write(question)
  input.setRawMode(true)
  input.resume()
  return new Promise((resolve, reject) => {
    let typed = ''
    const end = (settle: () => void) => {
      input.off('data', read)
      input.setRawMode(false)
      input.pause()
      output.write('\n')
      settle()
    }
    const read = (bytes: Buffer) => {
      for (const character of bytes.toString('utf8')) {
        if (character === '\r' || character === '\n') return end(() => resolve(typed))
        if (character === '\u0003' || character === '\u0004')
          return end(() => reject(new Error('no passphrase was given')))
        typed = character === '\u007f' ? typed.slice(0, -1) : typed + character
      }
    }
    input.on('data', read)
  })
}
