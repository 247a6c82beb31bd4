import path from 'node:path'
import { defineConfig } from 'vite'

/** The pages of the website; currently only the browser source of overlays. (OV20) */
export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  publicDir: false,
  logLevel: 'warn',
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // The oldest browser in broadcasting programs still in use.
    target: 'chrome103',
    cssTarget: 'chrome103',
    modulePreload: { polyfill: false },
    // The policy of the pages forbids inline content.
    assetsInlineLimit: 0,
    manifest: true,
    rollupOptions: { input: { overlay: path.join(import.meta.dirname, 'overlay/index.html') } },
  },
})
