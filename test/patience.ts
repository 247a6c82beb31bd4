/**
 * How long a test may take. These limits end what hangs; they are no bounds of speed. A quiet machine needs a few
 * seconds for almost every test, and a busy one is several times slower than a quiet one.
 */
export const testMs = 60_000

/** The limit for the files that are named below: they have tests that take more than eight seconds on a busy machine. */
export const slowTestMs = 300_000

/** Folders of tests that start services, browsers or media servers, which is slow where several files do so at once. */
export const slowFolders: readonly string[] = [
  'demo',
  'src/infra/decoder',
  'stand-in',
  'test/backup',
  'test/chromium',
  'test/races',
  'test/streaming',
  'web/test',
]

/**
 * Files by folder that do something hundreds of times or many things at once, go through every operation as every
 * caller, or wait for time: leases that run out, retries, clocks.
 */
export const slowFiles: Readonly<Record<string, string>> = {
  'src/features/people/users': 'privacy',
  src: 'media-storage',
  client: 'browser',
  'src/engine': 'qualifiers scheduling.properties',
  'src/engine/flows': 'properties',
  'src/engine/flows/validate': 'promise',
  'src/features/assistant': 'secrets',
  'src/features/assistant/assistantHooks': 'push',
  'src/features/assistant/assistantSessions':
    'cuts failures modes partition races refusing reports restarts whole-match',
  'src/features/assistant/assistantSessions/rules': 'properties',
  'src/features/assistant/bridgeTickets': 'log',
  'src/features/assistant/gameTokens': 'log',
  'src/features/assistant/proposals': 'bridge',
  'src/features/awards/awards': 'live races voting',
  'src/features/awards/badges': 'importing rows',
  'src/features/brackets/brackets': 'creating',
  'src/features/brackets/qualifiers': 'assistant-sync',
  'src/features/brackets/results': 'rush',
  'src/features/flows/flowSessions': 'reading',
  'src/features/flows/play': 'acting clocks free named-seats races socket',
  'src/features/listing/webhooks': 'faults subscriptions',
  'src/features/maps/archive': 'search usage',
  'src/features/maps/imports': 'imports rights round-trip',
  'src/features/maps/plans': 'plan',
  'src/features/maps/pools': 'publishing secrecy',
  'src/features/media/media': 'browser keeping media s3 streaming uploading delivery',
  'src/features/overlays/compatOverlays': 'compatOverlays',
  'src/features/overlays/control': 'control',
  'src/features/overlays/overlayData': 'overlayData',
  'src/features/overlays/sceneDocuments/rules': 'convergence',
  'src/features/overlays/scenes': 'coediting-processes drafts packages reference slow-editors undoing',
  'src/features/packages/packages': 'random round-trip',
  'src/features/people/accounts': 'deleting',
  'src/features/people/notifications': 'follower',
  'src/features/people/sessions': 'log sign-in',
  'src/features/planning/availability': 'overlap',
  'src/features/planning/calendar': 'log',
  'src/features/planning/notices': 'live',
  'src/features/planning/schedules': 'proposing',
  'src/features/realtime/following': 'topics',
  'src/features/streaming/channels': 'delay',
  'src/features/streaming/streamSessions': 'following kinds',
  'src/infra/db': 'embedded',
  'src/infra/db/embedded': 'lock',
  'src/infra/delay': 'earlier',
  'src/infra/events': 'cache',
  'src/infra/http': 'answer-cache overlay-page upload-file upload-files',
  'src/infra/pictures': 'pictures',
  'src/infra/realtime/description': 'asyncapi',
  'src/infra/threads': 'threads',
  'src/oauth': 'secrecy',
  'src/oauth/applications': 'log',
  'src/oauth/authorize': 'pages',
  test:
    'audiences commands contract description documentation examples permissions postgres15 ' +
    'realtime-docs request-examples',
  'test/held': 'answers',
  'test/packages': 'hostile',
  'test/kernel':
    'bodies commands compression connections events hostile idempotency jobs leases limits log memory reads ' +
    'remembered uploads',
  'test/realtime':
    'commands compatible delayed drain lives model partition resume silence slow slow-large ' +
    'slow-opening streams unflushed',
}

const slow = new Set(
  Object.entries(slowFiles).flatMap(([folder, names]) => names.split(' ').map((name) => `${folder}/${name}.test.ts`)),
)

/**
 * @param file relative to the project, with forward slashes
 * @returns how long each test of the file may take, where the test itself names no other limit
 */
export function limitOf(file: string): number {
  // Services that are killed and started again.
  const isSlow = file.endsWith('/process.test.ts') || slowFolders.some((folder) => file.startsWith(`${folder}/`))
  return isSlow || slow.has(file) ? slowTestMs : testMs
}
