import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { alone, installDebian, minute, withoutServices } from '../provide-debian.ts'
import { thisStreamingMachine as machine } from '../streaming/provide.ts'

/**
 * Follows the guide for operators literally, from its first command to its last, as root, with its paths and ports. Mounts
 * and a network namespace isolate it from the machine. This requires root on Debian.
 */

const root = path.join(import.meta.dirname, '../..')
const canFollow = machine.isRoot && process.platform === 'linux' && existsSync('/etc/debian_version')

/** Each file and each block of commands, in the order of the guide. */
type Step = { readonly file: string; readonly text: string } | { readonly commands: string }

function stepsOf(guide: string): Step[] {
  return [...guide.matchAll(/(?:^`(\/[^`]+)`:\n\n)?^```(\w+)\n([\s\S]*?)^```$/gm)].map(
    ([, file, language, text = '']) => {
      if (file !== undefined) return { file, text }
      if (language !== 'sh') throw new Error(`a block of ${language} is neither a file nor commands`)
      return { commands: text }
    },
  )
}

/** A machine without any part of the service, of PostgreSQL's data or of nginx' sites. */
const freshMachine = `
trap 'code=$?; [ $code = 0 ] || tail -n 20 /run/service.log >&2' EXIT
ip link set lo up
mount -t tmpfs none /run && mkdir -p /run/postgresql && chmod 1777 /run/postgresql && mkdir -p /run/lock
mount -t tmpfs none /mnt && mkdir /mnt/etc /mnt/work
mount -t overlay overlay -o lowerdir=/etc,upperdir=/mnt/etc,workdir=/mnt/work /etc
mount -t tmpfs none /var/lib && mkdir /var/lib/nginx /var/lib/postgresql
mount -t tmpfs none /var/log && mkdir /var/log/nginx /var/log/postgresql
mount -t tmpfs none /var/backups && mount -t tmpfs none /opt && mount -t tmpfs none /usr/local/bin
for version in 0.1.0 0.2.0; do mkdir /opt/downbeat-$version && mount --bind "$ROOT" /opt/downbeat-$version; done
mount --bind "$NODE" /usr/bin/node
rm -rf /etc/postgresql/* /etc/nginx/sites-enabled/* /etc/nginx/modules-enabled/*
chown postgres /run/postgresql /var/lib/postgresql /var/log/postgresql
mkdir -p /etc/downbeat /etc/caddy /etc/letsencrypt/live/downbeat.example.org
echo 127.0.0.1 downbeat.example.org >> /etc/hosts
cd /etc/letsencrypt/live/downbeat.example.org
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=downbeat.example.org \\
  -addext subjectAltName=DNS:downbeat.example.org -keyout privkey.pem -out fullchain.pem 2> /dev/null
export CURL_CA_BUNDLE=$PWD/fullchain.pem
cd /
pg_createcluster $PG_VERSION main > /dev/null
systemctl start postgresql
nginx
`

/** The packages are installed, and there is no systemd: these functions start what the units name, as their user. */
const standIns = `
apt-get() { :; }
valueOf() { sed -n "s/^$2=//p" "/etc/systemd/system/$1.service"; }
inUnit() {
  local unit=$1; shift
  (set -a; . "$(valueOf "$unit" EnvironmentFile)"; cd /
    local credential; credential=$(valueOf "$unit" LoadCredential)
    if [ -n "$credential" ]; then
      CREDENTIALS_DIRECTORY=$(mktemp -d /run/credentials-XXXX)
      install -m 400 -o "$(valueOf "$unit" User)" "\${credential#*:}" "$CREDENTIALS_DIRECTORY/\${credential%%:*}"
      chmod 711 "$CREDENTIALS_DIRECTORY"
    fi
    echo $BASHPID > "/run/$unit.pid"
    exec setpriv --reuid "$(valueOf "$unit" User)" --regid downbeat --init-groups "$@")
}
stopService() {
  [ -e /run/downbeat.pid ] || return 0
  kill "$(cat /run/downbeat.pid)" && while kill -0 "$(cat /run/downbeat.pid)" 2> /dev/null; do sleep 0.1; done
  rm /run/downbeat.pid
}
startService() { inUnit downbeat $(valueOf downbeat ExecStart) >> /run/service.log 2>&1 & }
askProxy() {
  local ask="curl -sS -o /dev/null $*" upgrade='-H Connection:Upgrade -H Upgrade:websocket -H Sec-WebSocket-Version:13'
  $ask -w 'plain %{http_code} %{redirect_url}\\n' http://downbeat.example.org/t/cup
  $ask -w 'metrics %{http_code}\\n' https://downbeat.example.org/metrics
  $ask -w 'page %{http_code} %{http_version}\\n' https://downbeat.example.org/
  $ask -w 'socket %{http_code}\\n' --http1.1 --max-time 5 $upgrade -H Sec-WebSocket-Key:MDEyMzQ1Njc4OWFiY2RlZg== \\
    https://downbeat.example.org/socket || true
  head -c 60000000 /dev/zero | $ask -w 'upload %{http_code}\\n' --data-binary @- https://downbeat.example.org/api/media || true
}
systemctl() {
  echo "systemctl $*" >> /run/asked
  case "$*" in
    daemon-reload | 'enable --now downbeat-backup.timer') ;;
    'enable --now downbeat' | 'start downbeat') startService ;;
    'restart downbeat') stopService; startService ;;
    'stop downbeat') stopService ;;
    'start downbeat-backup') inUnit downbeat-backup "$(valueOf downbeat-backup ExecStart)" ;;
    'start postgresql') pg_ctlcluster $PG_VERSION main status > /dev/null || pg_ctlcluster $PG_VERSION main start ;;
    'stop postgresql') pg_ctlcluster $PG_VERSION main stop -m fast ;;
    'reload nginx')
      nginx -s reload
      # The signal is sent, and the new workers listen a moment later.
      curl -ksS --retry 60 --retry-delay 1 --retry-all-errors -o /dev/null https://downbeat.example.org/ ;;
    *) echo "systemctl $*: what is that?" >&2; return 1 ;;
  esac
}
`

/** What a test looks at after the block of commands that begins with these words; they are the start of no other block. */
const looks: Readonly<Record<string, string>> = {
  'chmod 600 /etc/downbeat/env':
    'systemd-analyze verify /etc/systemd/system/downbeat.service 2>&1; downbeat doctor || true',
  'nginx -t': `
    askProxy
    runuser -u downbeat -- psql -q -c "update platforms set name = 'Ours'" downbeat`,
  // The certificate of this one is not from an authority, since there is no network.
  '(umask 077': `
    nginx -s stop
    caddy validate --config /etc/caddy/Caddyfile --adapter caddyfile 2>&1 | tail -n 1
    { printf '{\\n  local_certs\\n  skip_install_trust\\n}\\n'; cat /etc/caddy/Caddyfile; } > /run/Caddyfile
    HOME=/run caddy start --config /run/Caddyfile --adapter caddyfile > /run/caddy.log 2>&1
    curl -ksS --retry 60 --retry-delay 1 --retry-all-errors -o /dev/null https://downbeat.example.org/healthz
    askProxy -k
    HOME=/run caddy stop > /dev/null 2>&1
    nginx`,
  'chmod 755 /usr/local/bin/downbeat-backup':
    'systemd-analyze verify /etc/systemd/system/downbeat-backup.service /etc/systemd/system/downbeat-backup.timer 2>&1; stat -c "%U %a" /var/backups/downbeat/*',
  'systemctl stop downbeat\nrunuser': `runuser -u downbeat -- psql -Atc 'select name from platforms' downbeat; sha256sum /var/lib/downbeat*/keys/seal.key | cut -d' ' -f1`,
  'df -h':
    'systemctl stop postgresql; until curl -sS http://127.0.0.1:3001/readyz | grep "database unreachable"; do sleep 0.2; done',
  'downbeat rotate-keys':
    'ls /var/lib/downbeat/keys; curl -fsS --retry 60 --retry-delay 1 --retry-all-errors http://127.0.0.1:3001/readyz',
  'systemctl stop downbeat\ndownbeat seal': 'ls /var/lib/downbeat/keys',
  'rm /var/backups': 'ls /var/backups/downbeat',
}

describe.runIf(canFollow)('the guide for operators', () => {
  let folder: string
  let version: string
  let sections: readonly { readonly commands: string; readonly output: string }[]

  beforeAll(async () => {
    const isThere = () =>
      ['/usr/sbin/nginx', '/usr/bin/caddy', '/usr/bin/pg_createcluster'].every((file) => existsSync(file))
    const install = () => installDebian(machine, ['nginx', 'caddy', 'postgresql', 'openssl', 'iproute2'])
    if (!isThere()) await alone(() => withoutServices(machine.policyFile, install))
    version = (await promisify(execFile)('ls', ['/usr/lib/postgresql'])).stdout.trim().split('\n').at(-1) as string
    folder = await mkdtemp(path.join(os.tmpdir(), 'downbeat-guide-'))
    sections = await follow(stepsOf(await readFile(path.join(root, 'docs/guide/operate.md'), 'utf8')))
  }, 10 * minute)
  afterAll(() => rm(folder, { recursive: true, force: true }))

  /** Follows all steps in one shell, and returns the blocks of commands with the output of each. */
  async function follow(steps: readonly Step[]): Promise<typeof sections> {
    const parts = await Promise.all(
      steps.map(async (step, index) => {
        if ('commands' in step) {
          const [, look = ''] = Object.entries(looks).find(([words]) => step.commands.startsWith(words)) ?? []
          return `echo "=== "\n${step.commands}\n${look}\n`
        }
        const draft = path.join(folder, String(index))
        await writeFile(draft, step.text)
        return `cp ${draft} ${step.file}\n`
      }),
    )
    const script = `${standIns}\n${freshMachine}\n${parts.join('')}\nstopService`
    const args = [
      '--mount',
      '--net',
      '--pid',
      '--fork',
      '--mount-proc',
      '--kill-child',
      'bash',
      '-euo',
      'pipefail',
      '-c',
      script,
    ]
    const env = {
      PATH: '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      ROOT: root,
      NODE: process.execPath,
      PG_VERSION: version,
    }
    const { stdout } = await promisify(execFile)('unshare', args, { env, timeout: 8 * minute, maxBuffer: 2 ** 26 })
    const outputs = stdout.split('=== \n').slice(1)
    return steps
      .flatMap((step) => ('commands' in step ? [step.commands] : []))
      .map((commands, at) => ({ commands, output: outputs[at] ?? '' }))
  }
  const output = (words: string) => sections.find(({ commands }) => commands.startsWith(words))?.output ?? ''

  test('leads from nothing to a service that is ready, with units that systemd accepts', () => {
    expect(output('chmod 600')).toMatch(/^\{"status":"ready"\}/)
    expect(output('chmod 600')).not.toMatch(/downbeat\.service:\d+:|FAIL/)
    expect(output('chmod 600')).toMatch(/ok {4}database/)
  })

  test.each([
    ['nginx', 'nginx -t', 301],
    ['Caddy', '(umask 077', 308],
  ])(
    '%s leads to pages, the API and sockets, and neither to metrics nor into a limit for uploads',
    (_name, block, status) => {
      const told = output(block)
      expect(told).toContain(
        `plain ${status} https://downbeat.example.org/t/cup\nmetrics 404\npage 200 2\nsocket 101\n`,
      )
      // Refused by the service, not by the proxy.
      expect(told).toMatch(/upload 401/)
    },
  )

  test('the backup is made, encrypted, and restored', () => {
    expect(output('chmod 755 /usr/local/bin/downbeat-backup')).toMatch(/ records of \d+ tables, 3 keys and .*bytes\)/)
    expect(output('chmod 755 /usr/local/bin/downbeat-backup')).toMatch(/downbeat 600\n$/)
    const told = output('systemctl stop downbeat\nrunuser')
    expect(told).toMatch(/are restored, as of/)
    expect(told).toMatch(/\nOurs\n/)
    expect(new Set(told.trim().split('\n').slice(-2)).size).toBe(1)
  })

  test('the rest: an upgrade, metrics, a full disk, a lost database, a leaked key', () => {
    expect(output('systemctl start downbeat-backup')).toMatch(/\{"status":"ready"\}/)
    expect(output('curl -fsS http://127.0.0.1:3001/metrics')).toMatch(/^event_follower_lag_seconds/m)
    expect(output('df -h')).toMatch(/database unreachable/)
    expect(output('systemctl start postgresql')).toMatch(/\{"status":"ready"\}/)
    expect(output('downbeat rotate-keys').match(/\.pem$/gm)).toHaveLength(1)
  })

  test('a leaked key: packages, stored secrets, messages to devices, backups', () => {
    expect(output('downbeat package')).toMatch(/the key before is revoked\.\n\{"keys":\[.*"status":"current"/)
    const sealed = output('systemctl stop downbeat\ndownbeat seal')
    expect(sealed).toMatch(/^seal\.key is a new one, which \d+ secrets have; .*\n\{"status":"ready"\}/)
    expect(sealed).toMatch(/^seal\.key$/m)
    expect(sealed).not.toContain('seal.key.next')
    const push = output('systemctl stop downbeat\ndownbeat push')
    expect(push).toMatch(/^vapid\.key is a new one; 0 devices .*\n\{"status":"ready"\}/)
    expect(output('rm /var/backups').match(/\.backup$/gm)).toHaveLength(1)
  })
})
