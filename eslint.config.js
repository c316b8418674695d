// What ESLint holds of the scripts of pages; Prettier has their layout.
import js from "@eslint/js";
import globals from "globals";

const WORKERS = ["static/js/push_worker.js", "static/js/table_worker.js"];

export default [
  { ignores: ["node_modules/", "static/js/phrases/", "var/", "**/.venv/"] },
  js.configs.recommended,
  {
    rules: {
      complexity: ["error", 10],
      curly: ["error", "all"],
      eqeqeq: ["error", "smart"],
      // Prettier cannot break texts, which translators see whole.
      "max-len": ["error", { code: 100, ignoreStrings: true, ignoreTemplateLiterals: true }],
      "no-else-return": "error",
      "no-nested-ternary": "error",
      "no-useless-return": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "one-var": ["error", "never"],
      "prefer-const": "error",
      "prefer-template": "error",
    },
  },
  {
    files: ["static/js/**/*.js", "proof/page/{luck,page,partial,verifier,witnesses,words}.js"],
    ignores: WORKERS,
    languageOptions: { sourceType: "module", globals: globals.browser },
  },
  {
    files: WORKERS,
    languageOptions: { sourceType: "script", globals: globals.serviceworker },
  },
  {
    files: ["proof/page/worker.js"],
    languageOptions: { sourceType: "module", globals: globals.worker },
  },
  {
    files: ["proof/page/vectors_check.js"],
    languageOptions: { sourceType: "module", globals: globals.node },
  },
  { files: ["eslint.config.js"], languageOptions: { sourceType: "module" } },
];
