import './app/shell.js';
