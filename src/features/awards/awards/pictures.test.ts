import { afterAll, beforeAll, expect, test } from 'vitest'
import { editionBody, makeAwards, step } from '../../../../test/awards.ts'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { makeMedia, usesOf } from '../../../../test/media-rows.ts'
import { isAddressHeld } from '../../media/mirror/store/pictures.ts'

/** Pictures of editions and nominees: own media of their kind, or addresses elsewhere, which are shown from here. (M14, M25, M26) */

let api: Harness
let manager: Caller
let other: Caller
beforeAll(async () => {
  api = await startHarness()
  manager = await api.user({ globalRoles: ['global:badges:manage'] })
  other = await api.user({ globalRoles: ['global:badges:manage'] })
})
afterAll(() => api[Symbol.asyncDispose]())

const update = async (guid: string, changes: object) => {
  const { updatedAt: expectedUpdatedAt } = (await api.get(`/awards/${guid}`, manager)).body
  return api.patch(`/awards/${guid}`, manager, { expectedUpdatedAt, ...changes })
}

test('own media are in use while a record shows them, and end to be so with it', async () => {
  const banner = await makeMedia(api, 'award_image', { owner: manager })
  const made = await api.post('/awards', manager, editionBody({ bannerUrl: `${banner.url}`.replace('full', '128') }))
  expect(made.body.bannerUrl).toBe(banner.url)
  expect(await usesOf(api, banner)).toEqual({ uses: ['award.bannerUrl'], state: 'used' })
  expect(outcome(await update(made.body.guid, { bannerUrl: null }))).toEqual([200, null])
  expect(await usesOf(api, banner)).toEqual({ uses: [], state: 'unused' })
  await update(made.body.guid, { bannerUrl: banner.url })
  expect(outcome(await api.delete(`/awards/${made.body.guid}`, manager))).toEqual([204, null])
  expect(await usesOf(api, banner)).toEqual({ uses: [], state: 'unused' })

  const { path, categories } = await makeAwards(api, manager, { types: ['other'] })
  const nominees = `${path}/categories/${categories[0]}/nominees`
  const image = await makeMedia(api, 'award_image', { owner: manager })
  const one = (await api.post(nominees, manager, { label: 'One', imageUrl: image.url })).body
  expect(one.imageUrl).toBe(image.url)
  expect(await usesOf(api, image)).toEqual({ uses: ['award.imageUrl'], state: 'used' })
  // Another manager goes on showing it, though it is not theirs.
  expect((await api.patch(`${nominees}/${one.guid}`, other, { label: 'Uno', imageUrl: image.url })).status).toBe(200)
  await api.delete(`${nominees}/${one.guid}`, manager)
  expect(await usesOf(api, image)).toEqual({ uses: [], state: 'unused' })
  for (const wrong of [
    await makeMedia(api, 'badge_image', { owner: manager }),
    await makeMedia(api, 'award_image', { owner: other }),
  ]) {
    const refused = await api.post(nominees, manager, { label: 'One', imageUrl: wrong.url })
    expect(outcome(refused)).toEqual([400, 'media.reference_invalid'])
    expect(outcome(await update(path.slice('/awards/'.length), { bannerUrl: wrong.url }))).toEqual([
      400,
      'media.reference_invalid',
    ])
  }
})

test('who manages awards takes a picture out, in whatever phase, by deleting the medium', async () => {
  const [banner, image] = await Promise.all([1, 2].map(() => makeMedia(api, 'award_image', { owner: manager })))
  const edition = await makeAwards(api, manager, { types: ['other'], changes: { bannerUrl: banner?.url } })
  const nominees = `${edition.path}/categories/${edition.categories[0]}/nominees`
  await api.post(nominees, manager, { label: 'One', imageUrl: image?.url })
  await api.post(nominees, manager, { label: 'Two' })
  for (const status of ['shortlisting', 'voting']) await step(api, manager, edition.path, status)
  expect((await api.get(edition.path)).body.bannerUrl).toBe(banner?.url)
  for (const medium of [banner, image]) {
    expect(outcome(await api.delete(`/media/${medium?.guid}?detach=true`, other))).toEqual([204, null])
  }
  const shown = (await api.get(edition.path)).body
  expect([shown.bannerUrl, ...shown.categories[0].nominees.map((one: { imageUrl: string }) => one.imageUrl)]).toEqual([
    null,
    null,
    null,
  ])
})

test('pictures elsewhere are shown from here while a record names them', async () => {
  const [banner, image] = ['banner', 'image'].map(
    (name) => `https://pictures.example.org/${name}-${process.pid}.png`,
  ) as [string, string]
  const held = () => Promise.all([banner, image].map((url) => isAddressHeld(api.app.database.db, url)))
  expect(await held()).toEqual([false, false])
  const edition = await makeAwards(api, manager, { types: ['other'], changes: { bannerUrl: banner } })
  const nominees = `${edition.path}/categories/${edition.categories[0]}/nominees`
  const { guid } = (await api.post(nominees, manager, { label: 'One', imageUrl: image })).body
  expect(await held()).toEqual([true, true])
  await api.delete(`${nominees}/${guid}`, manager)
  await update(edition.guid, { bannerUrl: null })
  expect(await held()).toEqual([false, false])
})
