// SPDX-License-Identifier: MIT
declare module 'virtual:tokens.css';
