import { execFile } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shellBlocks } from '../markdown.ts'
import { alone, installDebian, minute } from '../provide-debian.ts'
import { provideStreaming, streamingProvisionMs, thisStreamingMachine } from './provide.ts'

/**
 * Follows the page on nginx literally: its commands and its configuration unchanged, as root, with the paths and ports
 * of the page. A mount and a network namespace isolate it from the machine's own nginx. This requires root on Debian.
 */

const page = path.join(import.meta.dirname, '../../docs/streaming/nginx-rtmp.md')
const canFollow = thisStreamingMachine.isRoot && process.platform === 'linux'

/** A machine on which the packages have just been installed, without any other part of nginx. */
const freshMachine = `
ip link set lo up
mount -t tmpfs none /var/lib/nginx
mount -t tmpfs none /var/log/nginx
mkdir "$FOLDER/etc" && mount --bind "$FOLDER/etc" /etc/nginx
mount -t tmpfs none /run
`

/** The packages are installed beforehand, and there is no systemd: these functions replace both. */
const standIns = `
apt-get() { echo "apt-get $*" >> "$FOLDER/asked"; }
systemctl() { echo "systemctl $*" >> "$FOLDER/asked"; nginx; }
`

describe.runIf(canFollow)('the page on nginx', () => {
  let folder: string
  beforeAll(async () => {
    await provideStreaming()
    await promisify(execFile)('ip', ['-V']).catch(() => alone(() => installDebian(thisStreamingMachine, ['iproute2'])))
    folder = await mkdtemp(path.join(os.tmpdir(), 'downbeat-page-'))
    // nginx runs as another user, who needs access to this folder.
    await promisify(execFile)('chmod', ['711', folder])
  }, streamingProvisionMs)
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('leads from nothing to a playlist, and no key is in the log', async () => {
    const text = await readFile(page, 'utf8')
    const [install = '', start = '', attempt = '', ...others] = shellBlocks(text)
    expect(others).toEqual([])
    const configuration = /```nginx\n(.*?)```/s.exec(text)?.[1] ?? ''
    const [server, user] = [randomUUID(), randomUUID()]
    const [secret, key] = [randomBytes(24).toString('base64url'), `sk-${randomBytes(16).toString('hex')}`]
    await writeFile(path.join(folder, 'published.conf'), configuration)
    const hooks = path.join(import.meta.dirname, 'hook-child.ts')
    const script = `
${freshMachine}
coproc HOOKS { "${process.execPath}" "${hooks}" ${server} ${secret} ${key} ${user}; }
read -r base <&"\${HOOKS[0]}"
${standIns}
${install}
sed -e "s#{base_url}#$base#g; s#{server}#${server}#g; s#{secret}#${secret}#g" "$FOLDER/published.conf" > /etc/nginx/nginx.conf
${start}
STREAM_KEY=${key} USER_GUID=${user}
${attempt}
echo "--- $(stat -c '%U %a' /etc/nginx/nginx.conf) $(stat -c '%U %a' /var/lib/nginx/streams)"
ls /var/lib/nginx/streams/live
echo "--- $(grep -c "$STREAM_KEY" /var/log/nginx/error.log)"
`
    const args = ['--mount', '--net', '--pid', '--fork', '--mount-proc', '--kill-child', 'bash', '-euc', script]
    const { stdout } = await promisify(execFile)('unshare', args, {
      env: { ...process.env, FOLDER: folder },
      timeout: 2 * minute,
    })
    const [playlist = '', rights = ''] = stdout.split('--- ')
    expect(playlist).toMatch(new RegExp(`#EXTM3U[\\s\\S]*\\n${user}-\\d+\\.ts\\n`))
    expect(rights).toMatch(/^root 600 www-data 750\n/)
    expect(rights).toContain(`${user}.m3u8`)
    expect(stdout).not.toContain(key)
    expect(stdout).toMatch(/--- 0\n$/)
    const asked = await readFile(path.join(folder, 'asked'), 'utf8')
    expect(asked).toBe('apt-get install -y nginx-core libnginx-mod-rtmp\nsystemctl restart nginx\n')
  })
})
