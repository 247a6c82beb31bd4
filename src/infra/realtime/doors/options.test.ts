import { expect, test } from 'vitest'
import { withoutOptions } from './options.ts'

const none = { facts: false, delayed: false }

/** Every transport reads options of topics in the same way. (D83) */
test.each([
  [{ topic: '/notices' }, { plain: '/notices', ...none }],
  [
    { topic: '/notices', facts: true },
    { plain: '/notices', ...none, facts: true },
  ],
  [{ topic: '/m?facts=1' }, { plain: '/m', ...none, facts: true }],
  [{ topic: '/m?facts=true&delayed=true' }, { plain: '/m', facts: true, delayed: true }],
  [{ topic: '/m?facts=1&delayed=1' }, { plain: '/m', facts: true, delayed: true }],
  [{ topic: '/m?facts=0&delayed=false' }, { plain: '/m', ...none }],
  [
    { topic: '/m?facts=0', facts: true },
    { plain: '/m', ...none },
  ],
  [{ topic: '/m?status=done&facts=1&team=x' }, { plain: '/m?status=done&team=x', ...none, facts: true }],
  [{ topic: '/m?delayed=1&status=done' }, { plain: '/m?status=done', ...none, delayed: true }],
  [{ topic: '/m?facts=yes' }, { plain: '/m?facts=yes', ...none }],
  [{ topic: '/m?facts=1&facts=0' }, { plain: '/m?facts=0', ...none, facts: true }],
  [{ topic: '/m?otherfacts=1' }, { plain: '/m?otherfacts=1', ...none }],
])('%j', (asked, plain) => {
  expect(withoutOptions(asked)).toEqual(plain)
})
