import { createApp } from './app.ts'
import { readConfig } from './config.ts'

const app = await createApp(readConfig())
app.log.info(`listening on ${await app.listen()}`)
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => void app.close())
