import { Command } from 'commander'
import { type Config, readConfig, readPackageConfig } from '../config.ts'

/** Commands that read no setting that could be wrong. */
const withoutConfiguration = new Set(['verify'])

/** The administrators' command line. Each command loads only what it needs. */
export async function run(argv: readonly string[]): Promise<void> {
  const program = new Command('downbeat')
    .description(
      'Tournament service for competitive VR rhythm games. Configuration comes from the environment; see README.',
    )
    .showHelpAfterError()
  let config: Config
  // Reports errors of the configuration before anything else is loaded.
  program.hook('preAction', (_program, command) => {
    if (!withoutConfiguration.has(command.name())) config = readConfig()
  })

  program
    .command('serve', { isDefault: true })
    .description('Run the service until it is told to stop.')
    .action(async () => (await import('./serve.ts')).serve(config))
  program
    .command('migrate')
    .description('Bring the database up to date, and nothing else.')
    .action(async () => (await import('./migrate.ts')).migrate(config))
  program
    .command('token')
    .description('Mint an access token for a user, who is made if there is none; local environment only.')
    .argument('<user>', 'user GUID, chat-platform ID or linked ranking ID; or a new user’s chat-platform ID')
    .option('--name <name>', 'name of a user who is to be made')
    .option('--scope <scopes>', 'scopes, separated by spaces', 'rest:write ws:write')
    .option('--role <role...>', 'global roles to give the user')
    .action(async (user: string, options) => (await import('./token.ts')).token(config, user, options))
  program
    .command('demo')
    .description('Play a real tournament into the running service, through its public API.')
    .option('--url <address>', 'address of the service, without /api')
    .option(
      '--manager-token <token>',
      'token of a tournament manager; without it one is made with the key of the service, which must run on this machine',
    )
    .option('--from-sheet', 'the organiser enters the teams from a sheet of sign-ups')
    .action(async (options) => {
      await (await import('../../demo/demo.ts')).demo(config, options)
    })
  program
    .command('doctor')
    .description('Check configuration, database, clock and the platforms that the service talks to.')
    .action(async () => (await import('./doctor.ts')).doctor(config))
  program
    .command('rotate-keys')
    .description('Sign new tokens with a new key; tokens that are out stay valid.')
    .action(async () => (await import('./rotate-keys.ts')).rotateKeys(config))
  program
    .command('backup')
    .description('Write database, keys and media into one encrypted file, while the service runs.')
    .argument('<file>', 'a file that does not exist yet')
    .option('--without-media', 'without pictures, videos and fonts')
    .option('--passphrase-file <file>', 'a file with the passphrase; else BACKUP_PASSPHRASE, or the terminal')
    .option('--plain', 'not encrypted: whoever has the file has all secrets of the service')
    .action(async (file: string, options) => (await import('./backup.ts')).backup(config, file, options))
  program
    .command('restore')
    .description('Restore a backup into a service that has no data yet, of the same or a later version.')
    .argument('<file>', 'a file that downbeat backup has written')
    .option('--passphrase-file <file>', 'a file with the passphrase; else BACKUP_PASSPHRASE, or the terminal')
    .action(async (file: string, options) => (await import('./restore.ts')).restore(config, file, options))
  const media = program.command('media').description('Look after pictures, videos and fonts that users gave.')
  media
    .command('sweep')
    .description(
      'Delete what nobody needs, as the service does each night: media without use, and files without a record.',
    )
    .action(async () => (await import('./media.ts')).sweepMedia(config))
  media
    .command('check')
    .description('Compare records with what is kept; the exit code tells whether they agree.')
    .option('--deep', 'read every file, and compare its digest', false)
    .action(async (options: { readonly deep: boolean }) =>
      (await import('./media.ts')).checkMedia(config, options.deep),
    )
  media
    .command('move')
    .description(
      'Copy all that is kept from the data directory to the S3-compatible storage, or back; may be ended and begun anew.',
    )
    .option('--back', 'from the S3-compatible storage to the data directory', false)
    .action(async (options: { readonly back: boolean }) => (await import('./media.ts')).moveMedia(config, options.back))

  const packages = program
    .command('package')
    .description('Check packages of tournaments, and look after the key that signs them.')
  packages
    .command('verify')
    .description(
      'Tell whether a package is whole and who signed it, without network or database. Exit code: 0 whole and by a known key, 3 whole but by an unknown key or unsigned, 1 broken.',
    )
    .argument('<file>', 'the package')
    .option('--keys <file>', 'a JWK set with keys to trust')
    .action(async (file: string, options: { readonly keys?: string }) =>
      (await import('./package.ts')).verify(readPackageConfig(), file, options.keys),
    )
  packages
    .command('rotate-key')
    .description('Sign packages with a new key; what older keys have signed stays valid.')
    .option('--revoke', 'what the key before has signed is refused from now on', false)
    .action(async (options: { readonly revoke: boolean }) =>
      (await import('./package.ts')).rotateKey(config, options.revoke),
    )
  program
    .command('seal')
    .description('Look after the secret of the installation, which protects stored secrets.')
    .command('rotate-key')
    .description('Encrypt stored secrets with a new one, while the service is stopped.')
    .action(async () => (await import('./replace-key.ts')).rotateSeal(config))
  program
    .command('push')
    .description('Look after the key by which push services know this service.')
    .command('rotate-key')
    .description('Make a new key, while the service is stopped; users switch messages on again on their devices.')
    .action(async () => (await import('./replace-key.ts')).rotatePushKey(config))

  try {
    await program.parseAsync(argv)
  } catch (error) {
    // Prints one line for the administrator.
    console.error(`downbeat: ${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 1
  }
}
