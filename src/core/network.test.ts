import { describe, expect, test } from 'vitest'
import { isPrivateHost, isPublicAddress, networkOf } from './network.ts'

describe('addresses of the open internet (D34)', () => {
  test.each(['93.184.216.34', '1.1.1.1', '2606:2800:220:1:248:1893:25c8:1946'])('%s is one', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })

  test.each([
    '127.0.0.1',
    '127.255.255.254',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '192.0.2.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    'fe80::1',
    'fe80::1%eth0',
    'fc00::1',
    'fd12:3456::1',
    'ff02::1',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001::1',
    'not an address',
    '',
  ])('%s is none', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })
})

describe('hosts that say that they are not on the open internet (D34)', () => {
  const host = (address: string) => new URL(address).hostname

  test.each([
    'https://example.org',
    'https://localhost.example.org',
    'https://93.184.216.34',
    'https://xn--bcher-kva.example',
  ])('%s does not', (address) => {
    expect(isPrivateHost(host(address))).toBe(false)
  })

  test.each([
    'https://localhost',
    'https://LOCALHOST.',
    'https://a.localhost',
    'https://printer.local',
    'https://metadata.google.internal',
    'https://router.home.arpa',
    'https://intranet',
    'https://127.1',
    'https://2130706433',
    'https://0x7f.0.0.1',
    'https://0177.0.0.1',
    'https://127.0.0.1.',
    'https://169.254.169.254',
    'https://[::1]',
    'https://[::ffff:7f00:1]',
    'https://[fd00::1]',
  ])('%s does', (address) => {
    expect(isPrivateHost(host(address))).toBe(true)
  })
})

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::ffff:cb00:7107', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['', ''],
  ['nonsense', 'nonsense'],
  ['203.0.113.7:80', '203.0.113.7:80'],
  [`x:${'y'.repeat(10_000)}`, `x:${'y'.repeat(62)}`],
])('%s is counted as %s', (address, caller) => {
  expect(networkOf(address)).toBe(caller)
})
